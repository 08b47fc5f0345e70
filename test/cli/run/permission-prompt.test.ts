import { describe, expect, it } from 'vitest'
import { PermissionPrompt } from '../../../src/cli/run/permission-prompt.ts'
import type { Keyboard } from '../../../src/cli/keyboard.ts'
import {
  asAgentNumber,
  asRunId,
  HostError,
  type AgentState,
  type HostClient,
  type PermissionOption,
} from '../../../src/shared/index.ts'

const RUN = asRunId('RUN')
const ALL: PermissionOption[] = ['allow-once', 'allow-run', 'reject']

const asking = (agent: number, request: string, options = ALL): AgentState =>
  ({ agent: asAgentNumber(agent), permission: { request, title: 'Run rm', options } }) as unknown as AgentState

class Stage {
  readonly notes: string[] = []
  readonly answers: unknown[] = []
  readonly open: { keys: readonly string[]; press: (key: string | undefined) => void }[] = []
  readonly prompt: PermissionPrompt
  failure: Error | undefined

  constructor() {
    const keyboard: Keyboard = {
      read: (keys, signal) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve(undefined))
          this.open.push({ keys, press: resolve })
        }),
    }
    const client = {
      call: async (_name: string, params: unknown) => {
        this.answers.push(params)
        if (this.failure !== undefined) throw this.failure
      },
    } as unknown as HostClient
    this.prompt = new PermissionPrompt({ client, keyboard, note: (text) => void this.notes.push(text) })
  }

  update(...agents: AgentState[]): void {
    this.prompt.update(RUN, { agents })
  }

  async press(key: string): Promise<void> {
    this.open.at(-1)?.press(key)
    await Promise.resolve()
    await Promise.resolve()
  }
}

describe('a question at the terminal', () => {
  it.each([
    ['a', 'allow-once'],
    ['r', 'allow-run'],
    ['n', 'reject'],
  ])('is answered by the key %s with %s', async (key, answer) => {
    const stage = new Stage()
    stage.update(asking(1, '1.1'))
    expect(stage.notes).toEqual(['  answer agent 1 with a key: [a] allow once  [r] allow for this run  [n] reject'])
    await stage.press(key)
    expect(stage.answers).toEqual([{ runId: RUN, agent: 1, request: '1.1', answer }])
  })

  it('offers what the agent takes, and a no in any case', () => {
    const stage = new Stage()
    stage.update(asking(1, '1.1', ['allow-once']))
    expect(stage.open[0]?.keys).toEqual(['a', 'n'])
  })

  it('comes after the one before it, and is asked once', async () => {
    const stage = new Stage()
    stage.update(asking(1, '1.1'), asking(2, '2.1'))
    stage.update(asking(1, '1.1'), asking(2, '2.1'))
    expect(stage.notes).toHaveLength(1)
    await stage.press('a')
    stage.update(asking(2, '2.1'))
    expect(stage.notes[1]).toContain('agent 2')
    await stage.press('n')
    expect(stage.answers).toMatchObject([{ request: '1.1' }, { request: '2.1', answer: 'reject' }])
  })

  it('is taken back when it was answered elsewhere or the run has ended', async () => {
    const stage = new Stage()
    stage.update(asking(1, '1.1'))
    stage.update()
    await stage.press('a')
    stage.update(asking(2, '2.1'))
    stage.prompt.end()
    await stage.press('a')
    expect(stage.answers).toEqual([])
  })

  it('minds nothing when somebody else was quicker', async () => {
    const stage = new Stage()
    stage.failure = new HostError({ code: 'CONFLICT', message: 'answered already' })
    stage.update(asking(1, '1.1'))
    await stage.press('a')
    expect(stage.answers).toHaveLength(1)
  })
})
