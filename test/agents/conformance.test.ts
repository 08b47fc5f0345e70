import { afterAll } from 'vitest'
import { createCommandBackend } from '../../src/agents/command/command-backend.ts'
import type { Fixtures } from '../../src/agents/simulated/fixtures-schema.ts'
import { createAnswerGenerator } from '../../src/agents/simulated/generate/answer-generator.ts'
import { createSimulatedBackend } from '../../src/agents/simulated/simulated-backend.ts'
import type { AgentBackend } from '../../src/engine/index.ts'
import type { JsonObject } from '../../src/shared/index.ts'
import { realClock } from './clocks.ts'
import { describeConformance, type Behaviour } from './conformance.ts'
import { agentFile } from './requests.ts'

const generator = createAnswerGenerator({
  worker: new URL('../../src/agents/simulated/generate/answer-worker.ts', import.meta.url),
})
afterAll(() => generator.dispose())

/** Its agents' questions stay open until they are cancelled. */
function withoutOperator(backend: AgentBackend): AgentBackend {
  return {
    ...backend,
    runner: {
      run: (request, host, signal, onProgress) => {
        const askPermission: typeof request.askPermission = () =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve({ answer: 'reject', by: 'cancelled' }))
          })
        return backend.runner.run({ ...request, askPermission }, host, signal, onProgress)
      },
    },
  }
}

describeConformance({
  name: 'simulated',
  lacks: ['silence', 'garbage'],
  make: (behaviour) =>
    withoutOperator(
      createSimulatedBackend({ clock: realClock, generator, paceMs: 1, fixtures: { calls: [toFixture(behaviour)] } }),
    ),
})

function toFixture(behaviour: Behaviour): Fixtures['calls'][number] {
  switch (behaviour.kind) {
    case 'answer': {
      const { answers, progress = [], usage, afterMs } = behaviour
      return {
        ...(answers.length > 1 && { invalid: answers.slice(0, -1) }),
        answer: answers.at(-1),
        progress: progress.map(({ kind: _kind, ...shown }) => ('text' in shown ? shown.text : shown)),
        ...(usage && { usage }),
        ...(afterMs !== undefined && { delayMs: afterMs }),
      }
    }
    case 'error':
      return { error: { message: behaviour.message, failure: behaviour.failure } }
    case 'hang':
      return { progress: [behaviour.text], permission: { title: 'A question that nobody answers' } }
    case 'crash':
      return { error: { message: 'crashed', failure: 'crashed', partial: behaviour.text } }
    default:
      throw new Error(`a simulated agent has no ${behaviour.kind}`)
  }
}

describeConformance({
  name: 'command',
  make: (behaviour) =>
    createCommandBackend({
      id: 'test',
      protocol: 'jsonl',
      command: ['node', agentFile('scripted-agent.mjs')],
      inheritedEnv: process.env,
      env: { WEFT_TEST_STEPS: '[]' },
      ...toCommand(behaviour),
    }),
})

function toCommand(behaviour: Behaviour): { env?: Record<string, string>; command?: string[] } {
  const steps = toSteps(behaviour)
  // A huge answer is too long for a variable of the environment: it is made by the agent.
  const huge = behaviour.kind === 'answer' && JSON.stringify(steps).length > 100_000
  return huge
    ? { command: ['node', agentFile('huge-agent.mjs'), '4'] }
    : { env: { WEFT_TEST_STEPS: JSON.stringify(steps) } }
}

const REASONS = { transient: 'network', quota: 'quota', auth: 'auth', refused: 'refused', other: 'other' } as const

function toSteps(behaviour: Behaviour): JsonObject[] {
  switch (behaviour.kind) {
    case 'answer': {
      const { answers, progress = [], usage, afterMs = 0 } = behaviour
      return [
        { sleep: afterMs },
        ...progress.map(({ kind: _kind, ...shown }) => ({ send: { type: 'progress', ...shown } })),
        ...answers.flatMap((output): JsonObject[] => [
          { send: { type: 'result', output, ...(usage && { usage: { ...usage } }) } },
          { await: 'invalid' },
        ]),
      ]
    }
    case 'error':
      return [{ send: { type: 'error', message: behaviour.message, reason: REASONS[behaviour.failure] } }]
    case 'hang':
      return [{ send: { type: 'progress', text: behaviour.text } }, { await: 'end' }]
    case 'crash':
      return [{ send: { type: 'progress', text: behaviour.text } }, { kill: 'SIGSEGV' }]
    case 'silence':
      return [{ exit: 0 }]
    case 'garbage':
      return [
        ...behaviour.lines.map((line) => ({ raw: `${line}\n` })),
        { send: { type: 'result', output: behaviour.answer } },
      ]
  }
}
