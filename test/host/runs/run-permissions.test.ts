import { describe, expect, test } from 'vitest'
import type { PermissionReply } from '../../../src/engine/index.ts'
import { answerAll, RunPermissions } from '../../../src/host/runs/run-permissions.ts'
import { asAgentNumber, asRunId, type PermissionOption, type RunId } from '../../../src/shared/index.ts'

const RUN = asRunId('RUN1')
const OTHER = asRunId('RUN2')
const never = new AbortController().signal

/** Far longer than a test, so that a test which waited for it would fail. */
const FOREVER_MS = 1_000_000

class Stage {
  watched = new Set<RunId>()
  present = true
  readonly permissions: RunPermissions

  constructor(graceMs = FOREVER_MS) {
    this.permissions = new RunPermissions(
      { watches: (runId) => this.watched.has(runId), present: () => this.present },
      graceMs,
    )
  }

  watch(...runIds: RunId[]): this {
    this.watched = new Set(runIds)
    this.permissions.audienceChanged()
    return this
  }

  ask(
    agent: number,
    { run = RUN, title = 'Run rm', signal = never, options = ['allow-once', 'allow-run', 'reject'] }: Asking = {},
  ): Promise<PermissionReply> {
    const question = { runId: run, agent: asAgentNumber(agent), id: `${agent}.1`, title, options }
    return this.permissions.ask(question, signal)
  }

  answer(agent: number, answer: PermissionOption, run = RUN): void {
    this.permissions.answer(run, asAgentNumber(agent), `${agent}.1`, answer)
  }
}

interface Asking {
  run?: RunId
  title?: string
  signal?: AbortSignal
  options?: PermissionOption[]
}

describe('a question in a run that is watched', () => {
  test('gets the answer of the operator', async () => {
    const stage = new Stage().watch(RUN)
    const replies = [stage.ask(1), stage.ask(2)]
    stage.answer(2, 'reject')
    stage.answer(1, 'allow-once')
    expect(await Promise.all(replies)).toEqual([
      { answer: 'allow-once', by: 'user' },
      { answer: 'reject', by: 'user' },
    ])
  })

  test('is answered once, by whoever is first, and for its own agent', async () => {
    const stage = new Stage().watch(RUN)
    const reply = stage.ask(1)
    const message = expect.stringContaining('is not asking "1.1"')
    const wrong = (): void => stage.permissions.answer(RUN, asAgentNumber(7), '1.1', 'allow-once')
    expect(wrong).toThrow(expect.objectContaining({ code: 'CONFLICT', message }))
    stage.answer(1, 'allow-once')
    expect(() => stage.answer(1, 'reject')).toThrow(expect.objectContaining({ code: 'CONFLICT', message }))
    expect(await reply).toEqual({ answer: 'allow-once', by: 'user' })
  })

  test('takes no answer but those it offers and a no', async () => {
    const stage = new Stage().watch(RUN)
    const reply = stage.ask(1, { options: ['allow-once'] })
    expect(() => stage.answer(1, 'allow-run')).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        violations: ['the answer must be one of allow-once, not "allow-run"'],
      }),
    )
    stage.answer(1, 'reject')
    expect(await reply).toEqual({ answer: 'reject', by: 'user' })
  })

  test('that was allowed for the run answers the same one of every agent of that run, open ones too', async () => {
    const stage = new Stage().watch(RUN, OTHER)
    const first = stage.ask(1)
    const same = stage.ask(2, { options: ['allow-once', 'reject'] })
    stage.answer(1, 'allow-run')
    expect(await Promise.all([first, same, stage.ask(3)])).toEqual([
      { answer: 'allow-run', by: 'user' },
      { answer: 'allow-once', by: 'policy' },
      { answer: 'allow-run', by: 'policy' },
    ])
    const others = [stage.ask(4, { title: 'Run ls' }), stage.ask(5, { run: OTHER })]
    stage.answer(4, 'reject')
    stage.answer(5, 'reject', OTHER)
    expect((await Promise.all(others)).map(({ answer }) => answer)).toEqual(['reject', 'reject'])
  })

  test('is cancelled with its attempt', async () => {
    const stage = new Stage().watch(RUN)
    const attempt = new AbortController()
    const reply = stage.ask(1, { signal: attempt.signal })
    attempt.abort()
    expect(await reply).toEqual({ answer: 'reject', by: 'cancelled' })
    expect(await stage.ask(2, { signal: attempt.signal })).toEqual({ answer: 'reject', by: 'cancelled' })
    expect(() => stage.answer(1, 'allow-once')).toThrow('is not asking')
  })

  test('is cancelled with its run, and nothing that was allowed is remembered', async () => {
    const stage = new Stage().watch(RUN)
    const allowed = stage.ask(1)
    stage.answer(1, 'allow-run')
    await allowed
    const open = stage.ask(2, { title: 'Run ls' })
    stage.permissions.forget(RUN)
    expect(await open).toEqual({ answer: 'reject', by: 'cancelled' })
    const again = stage.ask(3)
    stage.answer(3, 'reject')
    expect((await again).by).toBe('user')
  })
})

describe('a question that nobody sees', () => {
  const refusal = {
    answer: 'reject',
    by: 'policy',
    reason: 'agent 1 was refused "Run rm": no window and no browser watches this run, so there is nobody to ask',
  }

  test('is refused at once where there is nobody, with words', async () => {
    const stage = new Stage()
    stage.present = false
    expect(await stage.ask(1)).toEqual(refusal)
  })

  test('waits for somebody who is there and may be about to look', async () => {
    const stage = new Stage()
    const reply = stage.ask(1)
    stage.watch(RUN)
    stage.answer(1, 'allow-once')
    expect(await reply).toEqual({ answer: 'allow-once', by: 'user' })
  })

  test('is refused when nobody comes to look', async () => {
    expect(await new Stage(1).watch(OTHER).ask(1)).toEqual(refusal)
  })

  test('is refused when the last who watched has left and does not come back', async () => {
    const stage = new Stage(1).watch(RUN)
    const reply = stage.ask(1)
    stage.present = false
    stage.watch()
    expect(await reply).toEqual(refusal)
  })

  test('stays open for a page that is loaded again', async () => {
    const stage = new Stage().watch(RUN)
    const reply = stage.ask(1)
    stage.watch()
    stage.watch(RUN)
    stage.answer(1, 'allow-once')
    expect(await reply).toEqual({ answer: 'allow-once', by: 'user' })
  })
})

describe('a policy', () => {
  const ask = (wanted: 'allow-once' | 'reject', options: PermissionOption[], signal = never) =>
    answerAll(wanted).ask({ runId: RUN, agent: asAgentNumber(1), id: 'q', title: 't', options }, signal)

  test('allows in the way that the agent takes, or rejects', async () => {
    expect(await ask('allow-once', ['allow-once', 'reject'])).toEqual({ answer: 'allow-once', by: 'policy' })
    expect(await ask('allow-once', ['reject', 'allow-run'])).toEqual({ answer: 'allow-run', by: 'policy' })
    expect(await ask('allow-once', ['reject'])).toEqual({ answer: 'reject', by: 'policy' })
    expect(await ask('reject', ['allow-once'])).toEqual({ answer: 'reject', by: 'policy' })
  })

  test('says nothing for an attempt that is over', async () => {
    expect(await ask('allow-once', ['allow-once'], AbortSignal.abort())).toEqual({ answer: 'reject', by: 'cancelled' })
  })
})
