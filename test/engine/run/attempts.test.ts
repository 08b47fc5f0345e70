import { afterAll, describe, expect, test } from 'vitest'
import type { AgentRunResult } from '../../../src/engine/index.ts'
import type { FailureKind, Usage } from '../../../src/shared/index.ts'
import { createManualClock, type ManualClock } from '../../support/engine/manual-clock.ts'
import {
  createTestEngine,
  finishRun,
  runScript,
  startScript,
  type FinishedRun,
  type RunScriptOptions,
  type StartedRun,
} from '../../support/engine/run-script.ts'
import { untilStopped } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

const dead = (failure: FailureKind, error: string = failure, more = {}): AgentRunResult => ({
  kind: 'dead',
  failure,
  error,
  usage: { outputTokens: 1 },
  ...more,
})

/** Moves the clock on until the run has settled. */
async function runWithClock(
  text: string,
  options: RunScriptOptions = {},
  { clock = createManualClock(), stepMs = 500 } = {},
): Promise<FinishedRun> {
  const started = await startScript(engine, text, { clock, ...options })
  await advanceToEnd(clock, started, stepMs)
  return finishRun(started)
}

async function advanceToEnd(clock: ManualClock, { handle, store }: StartedRun, stepMs: number): Promise<void> {
  while (store.record(handle.id).state.endedAt === undefined) await clock.advance(stepMs)
}

describe('attempts', () => {
  test.each([
    ['all known', [0.25, 0.5], 0.75],
    ['the first unknown', [undefined, 0.5], undefined],
    ['the last unknown', [0.25, undefined], undefined],
  ])('have a cost together where each has one: %s', async (_which, costs, sum) => {
    const usageOf = (attempt: number): Usage => {
      const costUsd = costs[attempt - 1]
      return { outputTokens: 1, ...(costUsd !== undefined && { costUsd }) }
    }
    const run = await runWithClock(`return await agent('a')`, {
      agents: ({ attempt }) =>
        attempt < costs.length
          ? dead('transient', 'later', { usage: usageOf(attempt) })
          : { kind: 'ok', output: 'x', usage: usageOf(attempt) },
    })
    expect(run.of('agent-ended')[0]?.usage).toEqual({ outputTokens: 2, ...(sum !== undefined && { costUsd: sum }) })
  })

  test('a transient failure is tried again twice with growing pauses, and the key stays the same', async () => {
    const run = await runWithClock(`return await agent('a')`, {
      agents: ({ attempt }) => (attempt < 3 ? dead('transient', 'try later') : 'third time lucky'),
    })
    expect(run.result).toBe('third time lucky')
    expect(run.of('agent-attempt-failed')).toMatchObject([
      { attempt: 1, failure: 'transient', error: 'try later', retryAt: expect.any(Number) },
      { attempt: 2, failure: 'transient' },
    ])
    const [first, second] = run.of('agent-attempt-failed').map(({ at, retryAt }) => (retryAt ?? 0) - at)
    expect(first).toBeGreaterThanOrEqual(500)
    expect(first).toBeLessThanOrEqual(1000)
    expect(second).toBeGreaterThanOrEqual(1000)
    expect(second).toBeLessThanOrEqual(2000)
    expect(run.of('agent-ended')).toMatchObject([{ outcome: 'completed', attempts: 3, usage: { outputTokens: 12 } }])
    expect(run.rows).toHaveLength(1)
    expect(run.state.agentsStarted).toBe(1)
  })

  test('a third transient failure is the last', async () => {
    const run = await runWithClock(`return await agent('a')`, { agents: () => dead('transient') })
    expect(run.result).toBeNull()
    expect(run.of('agent-ended')).toMatchObject([{ outcome: 'failed', attempts: 3, error: { failure: 'transient' } }])
  })

  test('a back end that says when is asked again then, by everyone', async () => {
    const clock = createManualClock()
    const run = await runWithClock(
      `return await parallel([1, 2, 3, 4, 5, 6].map((i) => () => agent('a' + i)))`,
      {
        agents: ({ attempt, prompt }) =>
          attempt === 1 && prompt !== 'a1' ? dead('transient', '429', { retryAt: clock.now() + 1000 }) : prompt,
      },
      { clock, stepMs: 200 },
    )
    expect(run.result).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6'])
    const waits = run.of('agent-attempt-failed').map(({ at, retryAt }) => (retryAt ?? 0) - at)
    expect(waits.every((ms) => ms >= 1000 && ms <= 1300)).toBe(true)
    expect(new Set(waits).size).toBeGreaterThan(1)
  })

  test('a crash is tried once more after half a second to two', async () => {
    const run = await runWithClock(`return [await agent('a'), await agent('b')]`, {
      agents: ({ attempt, prompt }) => (prompt === 'a' && attempt === 2 ? 'recovered' : dead('crashed', 'exit code 1')),
    })
    expect(run.result).toEqual(['recovered', null])
    expect(run.of('agent-ended').map(({ attempts }) => attempts)).toEqual([2, 2])
    for (const { at, retryAt } of run.of('agent-attempt-failed')) {
      expect((retryAt ?? 0) - at).toBeGreaterThanOrEqual(500)
      expect((retryAt ?? 0) - at).toBeLessThanOrEqual(2000)
    }
  })

  test.each(['refused', 'timeout', 'other'] as const)('a failure of kind %s is not tried again', async (failure) => {
    const run = await runScript(engine, `return await agent('a')`, {
      agents: () => dead(failure, 'because', { partial: 'half an answer' }),
    })
    expect(run.of('agent-ended')).toMatchObject([
      { outcome: 'failed', attempts: 1, resultPreview: 'half an answer', error: { failure, message: 'because' } },
    ])
    expect(run.rows[0]).toMatchObject({ outcome: 'failed', result: 'half an answer', usage: { outputTokens: 1 } })
  })

  test('a silent agent is warned about, retried once, then failed; what speaks or asks goes on', async () => {
    const clock = createManualClock()
    const run = await runWithClock(
      `return await parallel([() => agent('silent'), () => agent('talks'), () => agent('asks')])`,
      {
        stallSeconds: 60,
        permissions: {
          ask: async () => {
            await clock.sleep(200_000)
            return { answer: 'allow-once', by: 'user' }
          },
        },
        agents: async ({ prompt, askPermission }, { signal, onProgress }) => {
          if (prompt === 'silent') return untilStopped(signal)
          if (prompt === 'asks') {
            const reply = await askPermission?.({ id: 'q1', title: 'May I?', options: ['allow-once', 'reject'] })
            return reply?.answer ?? 'nobody asked'
          }
          for (let i = 0; i < 5; i++) {
            await clock.sleep(40_000)
            onProgress({ kind: 'text', text: `line ${i}` })
          }
          return 'talked'
        },
      },
      { clock, stepMs: 1000 },
    )
    expect(run.result).toEqual([null, 'talked', 'allow-once'])
    const silence = 'agent 1 (silent) said nothing for 60 s'
    expect(run.warnings).toEqual([silence, silence])
    expect(run.of('agent-ended').find(({ agent }) => agent === 1)).toMatchObject({
      outcome: 'failed',
      attempts: 2,
      error: { failure: 'stalled', message: 'no sign of life for 60 s' },
    })
  })

  test('time in which the machine slept is not held against an agent', async () => {
    const clock = createManualClock()
    let sleeps = 0
    const lidClosed = {
      ...clock,
      // Every sleep of the stall watch is followed by an hour with the lid closed.
      now: () => clock.now() + sleeps * 3_600_000,
      sleep: async (ms: number, signal?: AbortSignal) => {
        await clock.sleep(ms, signal)
        sleeps++
      },
    }
    const started = await startScript(engine, `return await agent('slow')`, {
      clock: lidClosed,
      stallSeconds: 60,
      agents: async () => {
        await clock.sleep(20_000)
        return 'in time'
      },
    })
    await advanceToEnd(clock, started, 1000)
    const run = await finishRun(started)
    expect(sleeps).toBeGreaterThan(3)
    expect([run.result, run.warnings]).toEqual(['in time', []])
  })
})
