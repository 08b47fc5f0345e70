import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, finishRun, runScript, startScript } from '../../support/engine/run-script.ts'
import { untilStopped } from '../../support/engine/scripted-backend.ts'

const GRACE = 1500
const engine = await createTestEngine({ cancelGraceMs: GRACE })
afterAll(() => engine.dispose())

/** Runs and cancels on the first event of this type. */
async function cancelAt(type: string, text: string, options = {}) {
  let at = 0
  const run = await runScript(engine, text, {
    ...options,
    onEvent: (event, { handle }) => {
      if (event.type !== type || at !== 0) return
      at = performance.now()
      handle.cancel('enough')
      handle.cancel('a second reason')
    },
  })
  return { run, tookMs: performance.now() - at }
}

describe('cancel()', () => {
  test.each(['run-started', 'phase-started', 'agent-queued', 'agent-started', 'agent-progress', 'log'])(
    'at %s ends the run as cancelled, with the first reason and one end for each agent',
    async (type) => {
      const { run, tookMs } = await cancelAt(
        type,
        `phase('P'); agent('unawaited'); log('l'); await parallel([1, 2, 3].map((i) => () => agent('a' + i))); return 1`,
        {
          maxConcurrentAgents: 2,
          agents: (
            _request: unknown,
            { signal, onProgress }: { signal: AbortSignal; onProgress(p: unknown): void },
          ) => {
            onProgress({ kind: 'text', text: 'working' })
            return untilStopped(signal)
          },
        },
      )
      expect(run.settlement).toEqual({ outcome: 'cancelled', degraded: false, result: null })
      expect(run.events.at(-1)).toMatchObject({ type: 'run-ended', outcome: 'cancelled', reason: 'enough' })
      expect(run.state.calls).toMatchObject({ completed: 0, failed: 0, cancelled: run.state.agents.length })
      expect(run.backend.running).toBe(0)
      expect(tookMs).toBeLessThan(GRACE)
      expect(run.warnings).toEqual([])
    },
  )

  test('reaches the script as a fatal error that finally blocks see and combinators pass on', async () => {
    const { run } = await cancelAt(
      'agent-started',
      `try { await parallel([() => agent('a'), async () => { try { await agent('b') } finally { log('inner finally') } }]) }
       catch (e) { log([e.name, e.code, e.fatal, e.message]); try { await agent('after') } catch (e2) { log(e2.code) } }
       return 'ignored'`,
      { agents: (_: unknown, { signal }: { signal: AbortSignal }) => untilStopped(signal) },
    )
    expect(run.state.log.map(({ message }) => message)).toEqual([
      'inner finally',
      '["WorkflowError","CANCELLED",true,"the run is being cancelled: enough"]',
      'CANCELLED',
    ])
    expect(run.settlement.outcome).toBe('cancelled')
  })

  test.each([
    ['loops', `try { await agent('a') } catch {} for (;;);`],
    ['waits for ever', `try { await agent('a') } catch {} await new Promise(() => {})`],
    ['loops already', `agent('a'); await null; log('go'); for (;;);`],
    ['never stops calling', `for (;;) { try { await agent('a') } catch {} }`],
  ])('settles in time when the script %s', async (_what, text) => {
    const { run, tookMs } = await cancelAt('agent-started', text, {
      agents: (_: unknown, { signal }: { signal: AbortSignal }) => untilStopped(signal),
    })
    // A script that loops before its messages are out is found to be stuck instead.
    expect(run.settlement.outcome).toMatch(/cancelled|error/)
    if (run.settlement.outcome === 'cancelled') expect(tookMs).toBeLessThan(GRACE + 500)
  })

  test('settles in time when an agent does not stop, and says so', async () => {
    const { run, tookMs } = await cancelAt('agent-started', `await agent('stubborn')`, {
      agents: () => new Promise(() => {}),
    })
    expect(run.settlement.outcome).toBe('cancelled')
    expect(tookMs).toBeLessThan(GRACE + 500)
    expect(run.state.agents[0]?.status).toBe('cancelled')
    expect(run.warnings).toEqual(['agent 1 (stubborn) did not stop within 1.2 s of being told to'])
  })

  test('an answer that comes in spite of it is recorded as cancelled, its tokens counted', async () => {
    const { run } = await cancelAt('agent-started', `await agent('a')`, {
      agents: async (_: unknown, { signal }: { signal: AbortSignal }) => {
        await untilStopped(signal)
        return { kind: 'ok', output: 'end of turn', usage: { outputTokens: 7 } }
      },
    })
    expect(run.state.agents[0]).toMatchObject({ status: 'cancelled', usage: { outputTokens: 7 } })
    expect(run.state.usage.outputTokens).toBe(7)
  })

  test('progress that comes late is not shown', async () => {
    const { run } = await cancelAt('agent-started', `await agent('a')`, {
      agents: async (_: unknown, { signal, onProgress }: { signal: AbortSignal; onProgress(p: unknown): void }) => {
        await untilStopped(signal)
        onProgress({ kind: 'text', text: 'too late' })
        return 'x'
      },
    })
    expect(run.of('agent-progress')).toEqual([])
  })

  test('in the turn of the start ends a run that has not begun', async () => {
    const run = await runScript(engine, `return 1`, { onStart: ({ handle }) => handle.cancel('at once') })
    expect(run.settlement.outcome).toBe('cancelled')
    expect(run.events.map(({ type }) => type)).toEqual(['run-started', 'run-ended'])
  })

  test('after the end changes nothing', async () => {
    const started = await startScript(engine, `return 1`)
    await started.handle.settled
    started.handle.cancel('too late')
    started.handle.pause()
    started.handle.continue()
    const run = await finishRun(started)
    expect(run.settlement.outcome).toBe('completed')
  })

  test('ends a paused run and a nested workflow', async () => {
    const run = await runScript(engine, `await workflow('inner')`, {
      workflows: { inner: `export const meta = { name: 'inner', description: 'd' }\nawait agent('a')` },
      onEvent: (event, { handle }) => {
        if (event.type === 'agent-queued') handle.pause('wait')
        if (event.type === 'run-paused') handle.cancel('enough')
      },
    })
    expect(run.settlement.outcome).toBe('cancelled')
    expect(run.state.groups).toMatchObject([{ status: 'failed' }])
  })

  test('dispose() cancels what runs and ends every worker', async () => {
    const other = await createTestEngine()
    const started = await startScript(other, `await agent('a')`, {
      agents: (_request, { signal }) => untilStopped(signal),
    })
    await other.dispose()
    const run = await finishRun(started)
    expect(run.events.at(-1)).toMatchObject({ outcome: 'cancelled', reason: 'the program is ending' })
  })
})
