// Runs a bundled workflow through the real engine with agents that a test describes in a function: for what fixtures can't
// say, such as many files, and to look at the prompts.

import type { JsonValue } from '../../../src/shared/index.ts'
import type { AgentRequest, AgentRunResult, Engine } from '../../../src/engine/index.ts'
import { runScript, type FinishedRun, type RunScriptOptions } from '../engine/run-script.ts'
import { USAGE } from '../engine/scripted-backend.ts'
import { readBundled } from './bundled-host.ts'

/** The agent dies. */
export const DEAD = Symbol('dead')
/** The agent never gets its answer into the shape that was asked for: `agent()` throws. */
export const SHAPELESS = Symbol('shapeless')

/** Both ways to fail, for `test.each`. */
export const FAILURES = [
  ['dies', DEAD],
  ['finds no shape', SHAPELESS],
] as const

export type Answers = (
  call: Pick<AgentRequest, 'label' | 'phase' | 'prompt'>,
) => JsonValue | typeof DEAD | typeof SHAPELESS

export interface BundledRun extends FinishedRun {
  /** Prompts by label, in the order in which they were sent. */
  prompts: (label: string | RegExp) => string[]
  labels: string[]
  /** What the script told with `log`. */
  logs: string[]
}

export async function runBundled(
  engine: Engine,
  name: string,
  answers: Answers,
  options: Omit<RunScriptOptions, 'agents'> = {},
): Promise<BundledRun> {
  const run = await runScript(engine, readBundled(`${name}.js`), {
    fileName: `${name}.js`,
    // Nobody is there to continue it after five failures in a row.
    dry: true,
    ...options,
    agents: (request) => toResult(request, answers(request)),
  })
  const { requests } = run.backend
  return {
    ...run,
    labels: requests.map(({ label }) => label),
    logs: run.of('log').map(({ message }) => message),
    prompts: (wanted) =>
      requests
        .filter(({ label }) => (typeof wanted === 'string' ? label === wanted : wanted.test(label)))
        .map(({ prompt }) => prompt),
  }
}

/** The run again, unchanged, as its own resume: what it asks of agents, and whether it came to the same. */
export async function replayBundled(
  engine: Engine,
  name: string,
  earlier: BundledRun,
  options: Omit<RunScriptOptions, 'agents'> = {},
): Promise<{ labels: string[]; replayed: number; same: boolean }> {
  const again = await runBundled(engine, name, () => DEAD, {
    ...options,
    store: earlier.store,
    resumeFrom: earlier.runId,
  })
  return {
    labels: again.labels,
    replayed: again.state.calls.replayed,
    same: JSON.stringify(again.result) === JSON.stringify(earlier.result),
  }
}

function toResult({ label }: AgentRequest, answer: ReturnType<Answers>): AgentRunResult {
  if (answer === DEAD) return { kind: 'dead', error: `no luck with ${label}`, failure: 'other' }
  if (answer === SHAPELESS) return { kind: 'dead', error: `no shape for ${label}`, failure: 'schema', rejections: 6 }
  return { kind: 'ok', output: answer, usage: USAGE }
}
