import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { AgentBackend } from '../../../src/engine/index.ts'
import { startModelProvider, type ModelProvider } from '../../support/agents/model-provider/server.ts'
import type { Turn } from '../../support/agents/model-provider/turn.ts'
import { describeConformance, type Behaviour, type Shown } from '../conformance.ts'
import { errorTurn, KINDS, makeBackend, type Kind } from './kinds.ts'

const root = mkdtempSync(join(tmpdir(), 'weft-model-api-'))
writeFileSync(join(root, 'a.txt'), 'TODO one\nnothing\nTODO two\n')
writeFileSync(join(root, 'b.txt'), 'TODO three\n')
let provider: ModelProvider
beforeAll(async () => {
  provider = await startModelProvider()
})
afterAll(async () => {
  await provider.close()
  rmSync(root, { recursive: true, force: true })
})

const FOUND = 'a.txt:1: TODO one\na.txt:3: TODO two\nb.txt:1: TODO three'

function toTurns(kind: Kind, behaviour: Behaviour, structured: boolean, wrapped: boolean): Turn[] {
  switch (behaviour.kind) {
    case 'answer': {
      const { answers, progress = [], usage, afterMs } = behaviour
      const delay = afterMs === undefined ? {} : { delayMs: afterMs }
      // The suite's tool, as far as ours has what it shows.
      const shown = progress.flatMap((one): Turn[] =>
        one.kind === 'text'
          ? []
          : one.status === 'running'
            ? [{ text: ['reading'], calls: [{ name: 'search', input: { text: 'TODO' } }] }]
            : [{ text: ['writing'], calls: [{ name: 'list', input: {} }] }],
      )
      const said = { ...delay, ...(usage && { usage }) }
      const last = structured
        ? answers.map((answer) => ({
            ...said,
            calls: [{ name: 'structured_output', input: wrapped ? { value: answer } : answer }],
          }))
        : [{ ...said, text: answers.slice(0, 1).filter((one) => typeof one === 'string') }]
      return [...shown, ...last]
    }
    case 'error':
      return [errorTurn(kind, behaviour.failure, behaviour.message)]
    case 'hang':
      return [{ text: [behaviour.text], ends: 'hang' }]
    default:
      throw new Error(`a model provider does not ${behaviour.kind}`)
  }
}

function modelApi(kind: Kind, behaviour: Behaviour): AgentBackend {
  const make = (turns: Turn[]): AgentBackend => makeBackend(kind, provider.say(turns).url)
  return {
    ...make([]),
    runner: {
      run: (request, host, signal, onProgress) => {
        const { structured } = request
        const turns = toTurns(kind, behaviour, structured !== undefined, structured?.wrapped === true)
        return make(turns).runner.run({ ...request, cwd: root }, host, signal, onProgress)
      },
    },
  }
}

// The others speak one of these formats; failures.test.ts and options.test.ts go through all.
const FORMATS = ['anthropic', 'openai', 'google', 'openai-compatible']

for (const kind of KINDS.filter(({ name }) => FORMATS.includes(name))) {
  describeConformance({
    name: `model-api (${kind.name})`,
    make: (behaviour) => modelApi(kind, behaviour),
    // There is no process that could crash or print; what becomes of broken streams is told in failures.test.ts.
    lacks: ['crash', 'silence', 'garbage'],
    // Two turns with tools come before the one that is told; no provider tells a cost.
    tells: ({ costUsd: _cost, ...usage }) => ({
      ...usage,
      outputTokens: usage.outputTokens + 2,
      inputTokens: (usage.inputTokens ?? 0) + 2,
    }),
    shows: (shown: Shown) =>
      shown.kind === 'text'
        ? shown
        : shown.status === 'running'
          ? { ...shown, tool: 'search', input: { text: 'TODO' } }
          : { ...shown, tool: 'search', output: FOUND },
  })
}
