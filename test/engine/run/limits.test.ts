import { afterAll, describe, expect, test } from 'vitest'
import type { AgentRunResult } from '../../../src/engine/index.ts'
import { createManualClock } from '../../support/engine/manual-clock.ts'
import {
  createTestEngine,
  finishRun,
  runScript,
  startScript,
  type StartedRun,
} from '../../support/engine/run-script.ts'
import { createBackend } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

const FAN_OUT = `return (await parallel(Array.from({ length: 50 }, (_, i) => () => agent('a' + i)))).filter(Boolean).length`

/** Resolves with the next event of this type. */
function nextEvent({ store, handle }: StartedRun, type: string): Promise<void> {
  return new Promise((resolve) => {
    if (store.record(handle.id).events.some((event) => event.type === type)) return resolve()
    const end = store.onEvent((runId, event) => {
      if (runId !== handle.id || event.type !== type) return
      end()
      resolve()
    })
  })
}

const dead = (
  failure: 'quota' | 'auth' | 'credit' | 'other' | 'refused',
  error: string,
  retryAt?: number,
): AgentRunResult => ({
  kind: 'dead',
  failure,
  error,
  ...(retryAt !== undefined && { retryAt }),
})

describe('a spent quota', () => {
  test('pauses the run with its queue intact; what met it is tried again when the run continues', async () => {
    let quota = 2
    const backend = createBackend(async ({ prompt }) => {
      await Promise.resolve()
      return quota-- > 0 ? prompt : dead('quota', 'limit reached, resets at noon')
    })
    const started = await startScript(engine, FAN_OUT, { agents: backend, maxConcurrentAgents: 4 })
    await nextEvent(started, 'run-paused')
    // Those that were in flight still come back; then all is quiet.
    for (let quiet = 0; quiet < 3; quiet = backend.running > 0 ? 0 : quiet + 1) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { state } = started.store.record(started.handle.id)
    expect(state.status).toBe('paused')
    expect(state.paused).toEqual({
      by: 'limit',
      reason: 'back end test has no quota left: limit reached, resets at noon',
    })
    const metLimit = state.agents.filter(({ failedAttempts }) => failedAttempts.length > 0).length
    expect(metLimit).toBeGreaterThan(0)
    expect(metLimit).toBeLessThanOrEqual(4)
    expect(state.calls).toMatchObject({ completed: 2, failed: 0 })
    quota = 1000
    started.handle.continue()
    const run = await finishRun(started)
    expect(run.result).toBe(50)
    expect(run.settlement.degraded).toBe(false)
    expect(run.of('run-continued')).toMatchObject([{ by: 'user' }])
    expect(backend.requests.length).toBe(50 + metLimit)
  })

  test('continues by itself when the back end has said when', async () => {
    const clock = createManualClock()
    const until = clock.now() + 3_600_000
    const started = await startScript(engine, `return [await agent('a'), await agent('b')]`, {
      clock,
      agents: ({ prompt }) => (prompt === 'b' && clock.now() < until ? dead('quota', 'used up', until) : prompt),
    })
    await nextEvent(started, 'run-paused')
    await clock.advance(3_599_000)
    expect(started.store.record(started.handle.id).state.paused?.until).toBe(until)
    await clock.advance(2000)
    const run = await finishRun(started)
    expect(run.result).toEqual(['a', 'b'])
    expect(run.of('run-continued')).toMatchObject([{ by: 'limit' }])
  })

  test.each([
    ['auth', 'back end test is not signed in: run login'],
    ['credit', 'back end test has no credit left: run login'],
  ] as const)('the same goes for %s', async (failure, reason) => {
    let works = false
    const run = await runScript(engine, `return await agent('a')`, {
      agents: () => (works ? 'fine' : dead(failure, 'run login')),
      onEvent: (event, { handle }) => {
        if (event.type !== 'run-paused') return
        works = true
        setImmediate(() => handle.continue())
      },
    })
    expect(run.of('run-paused')).toMatchObject([{ by: 'limit', reason }])
    expect(run.result).toBe('fine')
  })

  test('leaves the waiting call null only when it is skipped', async () => {
    const run = await runScript(engine, `return await agent('a')`, {
      agents: () => dead('quota', 'used up'),
      onEvent: (event, { handle }) => {
        if (event.type === 'run-paused') setImmediate(() => handle.act(1 as never, 'skip')) // the first agent's number
      },
    })
    expect([run.result, run.state.agents[0]?.status]).toEqual([null, 'skipped'])
  })

  test('fails the call in a dry run, where nobody could continue', async () => {
    const run = await runScript(engine, `return await agent('a')`, {
      dry: true,
      agents: () => dead('quota', 'used up'),
    })
    expect([run.result, run.state.calls.failed, run.of('run-paused')]).toEqual([null, 1, []])
  })
})

describe('five identical failures in a row', () => {
  test('pause the run, and the fifth call is tried again', async () => {
    let broken = true
    const run = await runScript(
      engine,
      `let n = 0; for (let i = 0; i < 8; i++) if (await agent('a' + i)) n++; return n`,
      {
        agents: () => (broken ? dead('other', 'proxy down') : 'fine'),
        onEvent: (event, { handle }) => {
          if (event.type !== 'run-paused') return
          broken = false
          setImmediate(() => handle.continue())
        },
      },
    )
    expect(run.of('run-paused')).toMatchObject([
      { by: 'limit', reason: '5 agents in a row failed the same way: proxy down' },
    ])
    expect([run.result, run.state.calls.failed]).toEqual([4, 4])
    expect(run.settlement.degraded).toBe(true)
  })

  test('do not add up across a success or when they differ', async () => {
    const run = await runScript(engine, `for (let i = 0; i < 12; i++) await agent('a' + i)`, {
      agents: ({ agent }) => (agent % 5 === 0 ? 'fine' : dead('other', agent > 5 ? `error ${agent}` : 'same')),
    })
    expect([run.of('run-paused'), run.settlement.outcome]).toEqual([[], 'completed'])
  })
})

describe('pause and continue', () => {
  test('queued agents wait and running ones go on', async () => {
    let release = (): void => undefined
    const running = new Promise<void>((resolve) => {
      release = resolve
    })
    const started = await startScript(engine, `return await parallel([1, 2, 3].map((i) => () => agent('a' + i)))`, {
      maxConcurrentAgents: 1,
      agents: async ({ prompt }) => {
        await running
        return prompt
      },
      onEvent: (event, { handle }) => {
        if (event.type === 'agent-started' && event.agent === 1) handle.pause('lunch')
      },
    })
    await nextEvent(started, 'run-paused')
    release()
    await nextEvent(started, 'agent-ended')
    const { state } = started.store.record(started.handle.id)
    expect([state.status, state.paused, state.queued]).toEqual(['paused', { by: 'user', reason: 'lunch' }, 2])
    started.handle.continue()
    started.handle.continue()
    const run = await finishRun(started)
    expect(run.result).toEqual(['a1', 'a2', 'a3'])
    expect(run.of('run-continued')).toHaveLength(1)
  })
})

describe('skip, stop and retry', () => {
  test.each([
    ['skip', 'skipped'],
    ['stop', 'cancelled'],
  ] as const)('%s makes a running agent null at once', async (action, status) => {
    const run = await runScript(engine, `return await agent('a')`, {
      agents: (_request, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(dead('other', 'aborted')))
        }),
      onEvent: (event, { handle }) => {
        if (event.type === 'agent-started') expect(handle.act(event.agent, action)).toBe(true)
      },
    })
    expect([run.result, run.state.agents[0]?.status, run.settlement.degraded]).toEqual([null, status, false])
    expect(run.rows[0]?.outcome).toBe(status)
  })

  test('skip takes a queued agent out of the queue', async () => {
    const run = await runScript(engine, `return await parallel([1, 2].map((i) => () => agent('a' + i)))`, {
      maxConcurrentAgents: 1,
      onEvent: (event, { handle }) => {
        if (event.type === 'agent-queued' && event.agent === 2) setImmediate(() => handle.act(event.agent, 'skip'))
      },
      agents: async ({ prompt }) => {
        for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
        return prompt
      },
    })
    expect(run.result).toEqual(['a1', null])
    expect(run.backend.requests).toHaveLength(1)
  })

  test('retry starts the agent again, and to the script it is one call', async () => {
    const run = await runScript(engine, `return await agent('a')`, {
      agents: ({ attempt }, { signal }) =>
        attempt > 1
          ? 'second'
          : new Promise((resolve) => {
              signal.addEventListener('abort', () => resolve(dead('other', 'aborted')))
            }),
      onEvent: (event, { handle }) => {
        if (event.type === 'agent-started' && event.attempt === 1) expect(handle.act(event.agent, 'retry')).toBe(true)
      },
    })
    expect(run.result).toBe('second')
    expect(run.of('agent-attempt-failed')).toMatchObject([{ failure: 'retried', attempt: 1 }])
    expect(run.rows).toHaveLength(1)
  })

  test('do nothing for an agent that has ended or never was', async () => {
    const started = await startScript(engine, `await agent('a'); return await agent('b')`)
    await started.handle.settled
    expect([1, 2, 3].map((agent) => started.handle.act(agent as never, 'skip'))).toEqual([false, false, false]) // plain numbers
  })
})

describe('the budget', () => {
  test('refuses a call once it is spent, counts it, and the script may catch that', async () => {
    const run = await runScript(
      engine,
      `await agent('a'); await agent('b')
       try { await agent('c') } catch (e) { return [e.code, e.fatal, e.message, e.stack.split('\\n')[1]] }`,
      { budgetTokens: 20 },
    )
    expect(run.result).toEqual([
      'BUDGET_EXCEEDED',
      false,
      'the budget is used up: 20 of 20 output tokens are spent',
      '    at test.js:3:20',
    ])
    expect(run.settlement).toMatchObject({ outcome: 'completed', degraded: true })
    expect(run.state.calls).toMatchObject({ completed: 2, failed: 1, refused: 1 })
    expect(run.state.agents[2]).toMatchObject({
      status: 'failed',
      error: { failure: 'budget', code: 'BUDGET_EXCEEDED' },
    })
    expect(run.backend.requests).toHaveLength(2)
  })

  test('is looked at again when a queued call gets its permit: a fan-out overshoots by what was in flight', async () => {
    const run = await runScript(
      engine,
      `return await parallel(Array.from({ length: 10 }, (_, i) => () => agent('a' + i)))`,
      {
        budgetTokens: 25,
        maxConcurrentAgents: 2,
      },
    )
    expect(run.backend.requests.length).toBeLessThanOrEqual(4)
    expect(run.state.usage.outputTokens).toBeLessThanOrEqual(40)
    expect(run.state.calls.refused).toBe(10 - run.backend.requests.length)
    expect(run.warnings).toHaveLength(run.state.calls.refused)
    expect(run.warnings[0]).toMatch(/^parallel: slot \d became null: WorkflowError: the budget is used up/)
  })

  test('spent without a catch ends the run with its code', async () => {
    const run = await runScript(engine, `await agent('a'); await agent('b')`, { budgetTokens: 5 })
    expect(run.settlement).toMatchObject({
      outcome: 'error',
      degraded: true,
      error: { code: 'BUDGET_EXCEEDED', line: 2 },
    })
  })

  test('says when a back end reports no usage', async () => {
    const run = await runScript(engine, `await agent('a'); await agent('b')`, {
      budgetTokens: 5,
      agents: createBackend(() => ({ kind: 'ok', output: 'x', usage: { outputTokens: 0 } }), {
        capabilities: { usage: 'none' },
      }),
    })
    expect(run.warnings).toEqual(['back end test reports no usage, so the budget can not bind its agents'])
  })

  test('counts failed and cancelled attempts, and what progress reported last', async () => {
    const run = await runScript(engine, `await agent('a'); return budget.spent()`, {
      agents: (_request, { onProgress }) => {
        onProgress({ kind: 'usage', usage: { outputTokens: 3 } })
        onProgress({ kind: 'usage', usage: { outputTokens: 8 } })
        return { kind: 'dead', error: 'x', failure: 'refused' }
      },
    })
    expect([run.result, run.state.usage.outputTokens]).toEqual([8, 8])
  })
})

describe('permits', () => {
  test('go first come first served, never more than the run may have', async () => {
    const run = await runScript(engine, `await Promise.all([3, 1, 2, 5, 4].map((i) => agent('a' + i)))`, {
      maxConcurrentAgents: 2,
      agents: async ({ prompt }) => {
        await new Promise((resolve) => setImmediate(resolve))
        return prompt
      },
    })
    expect(run.backend.requests.map(({ prompt }) => prompt)).toEqual(['a3', 'a1', 'a2', 'a5', 'a4'])
    expect(run.backend.mostRunning).toBe(2)
  })

  test('are capped across runs, and every run gets its turn', async () => {
    const capped = await createTestEngine({ maxConcurrentAgentsOverall: 2 })
    const backend = createBackend(async ({ prompt }) => {
      await new Promise((resolve) => setImmediate(resolve))
      return prompt
    })
    const runs = await Promise.all(
      [1, 2, 3].map((n) =>
        runScript(
          capped,
          `return (await parallel(Array.from({ length: 10 }, (_, i) => () => agent('r${n}' + i)))).length`,
          { agents: backend },
        ),
      ),
    )
    await capped.dispose()
    expect(runs.map(({ result }) => result)).toEqual([10, 10, 10])
    expect(backend.mostRunning).toBe(2)
  })
})
