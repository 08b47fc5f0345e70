// How long a simulated call takes and what it uses: from this workflow's own history where there is any, else from sizes.

import type { AgentRequest } from '../../engine/index.ts'
import type { JsonValue, Usage } from '../../shared/index.ts'
import { pick, pickInteger, type Random } from './random.ts'

/** One earlier call of the same kind. */
export interface HistorySample {
  durationMs: number
  /** Absent where the back end reported none: then they follow from sizes. */
  outputTokens?: number
  inputTokens?: number
  costUsd?: number
}

/** Earlier calls of the workflow that resemble this one: by label, else by phase, else any; empty without history. */
export type History = (call: { label: string; phase: string | null }) => readonly HistorySample[]

export interface Estimate {
  durationMs: number
  usage: Usage
}

const CHARACTERS_PER_TOKEN = 4
const OUTPUT_TOKEN_MS = 18
const INPUT_TOKEN_MS = 0.3
const STARTING_MS = 1_500

export function estimateCall(
  request: AgentRequest,
  output: JsonValue,
  random: Random,
  history: History | undefined,
): Estimate {
  const [sample, ...others] = history?.({ label: request.label, phase: request.phase }) ?? []
  const chosen = sample && pick(random, [sample, ...others])
  const bySize = estimateBySize(request, output, random)
  return chosen === undefined ? bySize : fromSample(chosen, bySize)
}

function estimateBySize(request: AgentRequest, output: JsonValue, random: Random): Estimate {
  const schema = request.structured === undefined ? '' : JSON.stringify(request.structured.schema)
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  // Beside what is seen: what an agent thinks, and what it reads.
  const outputTokens = toTokens(text.length) + pickInteger(random, 50, 400)
  const inputTokens = toTokens(request.prompt.length + schema.length) + pickInteger(random, 500, 6_000)
  const durationMs = STARTING_MS + outputTokens * OUTPUT_TOKEN_MS + inputTokens * INPUT_TOKEN_MS
  return { durationMs: Math.round(durationMs * (0.7 + random() * 0.8)), usage: { outputTokens, inputTokens } }
}

function fromSample({ durationMs, outputTokens, inputTokens, costUsd }: HistorySample, bySize: Estimate): Estimate {
  if (outputTokens === undefined) return { durationMs, usage: bySize.usage }
  return {
    durationMs,
    usage: {
      outputTokens,
      ...(inputTokens !== undefined && { inputTokens }),
      ...(costUsd !== undefined && { costUsd }),
    },
  }
}

function toTokens(characters: number): number {
  return Math.max(1, Math.ceil(characters / CHARACTERS_PER_TOKEN))
}
