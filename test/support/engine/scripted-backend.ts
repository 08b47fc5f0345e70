// A back end that does what a test says: one function answers every attempt. It counts what is running, and what was left.

import type { BackendCapabilities, Usage } from '../../../src/shared/index.ts'
import type { AgentBackend, AgentRequest, AgentRunResult, AgentRunner, HostHandle } from '../../../src/engine/index.ts'

type Progress = Parameters<AgentRunner['run']>[3]

/** A text is a plain answer of 10 output tokens. A promise may reject. */
export type Behaviour = (
  request: AgentRequest,
  tools: { signal: AbortSignal; onProgress: Progress },
) => string | AgentRunResult | Promise<string | AgentRunResult>

export const EVERYTHING: BackendCapabilities = {
  schema: 'native',
  models: true,
  effort: true,
  agentType: true,
  allowedTools: true,
  worktree: true,
  usage: 'exact',
  cost: false,
  steer: false,
  permissions: true,
  resumeSession: false,
}

export interface ScriptedBackend extends AgentBackend {
  /** Every attempt so far, in order. */
  readonly requests: AgentRequest[]
  /** The handle that came with each of them. */
  readonly hosts: HostHandle[]
  readonly running: number
  readonly mostRunning: number
}

export const USAGE: Usage = { outputTokens: 10 }

export function createBackend(
  behave: Behaviour = (request) => `answer to ${request.prompt}`,
  options: Partial<Pick<AgentBackend, 'id' | 'unavailable' | 'refuse'>> & {
    capabilities?: Partial<BackendCapabilities>
  } = {},
): ScriptedBackend {
  const requests: AgentRequest[] = []
  const hosts: HostHandle[] = []
  let running = 0
  let mostRunning = 0
  const { capabilities, ...rest } = options
  return {
    id: 'test',
    kind: 'scripted',
    capabilities: { ...EVERYTHING, ...capabilities },
    ...rest,
    requests,
    hosts,
    get running() {
      return running
    },
    get mostRunning() {
      return mostRunning
    },
    runner: {
      async run(request, host, signal, onProgress) {
        requests.push(request)
        hosts.push(host)
        mostRunning = Math.max(mostRunning, ++running)
        try {
          const answer = await behave(request, { signal, onProgress })
          return typeof answer === 'string' ? { kind: 'ok', output: answer, usage: USAGE } : answer
        } finally {
          running--
        }
      },
    },
  }
}

/** Waits for the signal, then dies as a stopped agent does. */
export function untilStopped(signal: AbortSignal): Promise<AgentRunResult> {
  return new Promise((resolve) => {
    const die = (): void => resolve({ kind: 'dead', error: 'stopped', failure: 'other' })
    if (signal.aborted) die()
    else signal.addEventListener('abort', die, { once: true })
  })
}
