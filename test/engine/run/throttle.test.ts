import { afterAll, expect, test } from 'vitest'
import { createVirtualClock, type AgentRunResult } from '../../../src/engine/index.ts'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

const limited = (more: object): AgentRunResult => ({ kind: 'dead', failure: 'transient', error: '429', ...more })

/** The most attempts that were under way at once, between two moments. */
function peak(events: Awaited<ReturnType<typeof runScript>>['events'], from: number, to = Infinity): number {
  let running = 0
  let most = 0
  for (const { type, at } of events) {
    if (type === 'agent-started') running++
    if (type === 'agent-ended' || type === 'agent-attempt-failed') running--
    if (at >= from && at < to) most = Math.max(most, running)
  }
  return most
}

test('five of six agents that are asked to wait a second all get their answer, fewer at once and then as many as before', async () => {
  const clock = createVirtualClock(0)
  const script = `const first = await parallel(Array.from({ length: 6 }, (_, i) => () => agent('first ' + i)))
    const then = await parallel(Array.from({ length: 6 }, (_, i) => () => agent('then ' + i)))
    return [...first, ...then]`
  const run = await runScript(engine, script, {
    clock,
    maxConcurrentAgents: 6,
    agents: async ({ prompt, attempt }) => {
      await clock.sleep(100)
      return prompt.startsWith('first') && prompt !== 'first 0' && attempt === 1
        ? limited({ retryAt: clock.now() + 1000 })
        : prompt
    },
  })
  expect(run.result).toEqual(
    [...Array(6).keys()].map((i) => `first ${i}`).concat([...Array(6).keys()].map((i) => `then ${i}`)),
  )
  expect(run.settlement.degraded).toBe(false)
  expect(run.of('agent-attempt-failed')).toHaveLength(5)
  const [failed] = run.of('agent-attempt-failed')
  const again = run.of('agent-started').filter(({ attempt }) => attempt === 2)
  const starts = again.map(({ at }) => at)
  expect(Math.min(...starts)).toBeGreaterThanOrEqual((failed?.at ?? 0) + 1000)
  // With jitter: they don't come back in one moment.
  expect(new Set(starts).size).toBeGreaterThan(1)
  const second = run.of('agent-queued').find(({ label }) => label === 'then 0')?.at ?? 0
  expect(peak(run.events, 101, second)).toBeLessThan(6)
  expect(peak(run.events, second)).toBe(6)
  expect(run.warnings).toEqual([
    'back end test limits how fast it is asked: 3 agents at once for now, one more with each success',
  ])
})

test('what is queued is not started before the time that the back end names, and then half as many at once', async () => {
  const clock = createVirtualClock(0)
  let refusals = 0
  const run = await runScript(
    engine,
    `return await parallel(Array.from({ length: 20 }, (_, i) => () => agent('a' + i)))`,
    {
      clock,
      maxConcurrentAgents: 8,
      agents: async ({ prompt }) => {
        await clock.sleep(10)
        if (clock.now() >= 5000) return prompt
        refusals++
        return limited({ retryAt: 5000 })
      },
    },
  )
  expect(run.settlement.degraded).toBe(false)
  expect(refusals).toBe(8)
  const later = run.of('agent-started').filter(({ at }) => at > 10)
  expect(later.every(({ at }) => at >= 5000)).toBe(true)
  expect(later.filter(({ at }) => at === 5000)).toHaveLength(4)
})

test('a rate limit without a time lowers the number too, down to one, and a cancelled run waits for nothing', async () => {
  const clock = createVirtualClock(0)
  const run = await runScript(engine, `return await parallel(['a', 'b', 'c'].map((name) => () => agent(name)))`, {
    clock,
    maxConcurrentAgents: 3,
    agentRetries: 3,
    agents: async ({ prompt, attempt }) => {
      await clock.sleep(10)
      return attempt < 3 ? limited({ rateLimited: true }) : prompt
    },
  })
  expect(run.result).toEqual(['a', 'b', 'c'])
  expect(peak(run.events, 11)).toBe(1)

  const cancelled = await runScript(engine, `return await parallel(['a', 'b'].map((name) => () => agent(name)))`, {
    agents: () => limited({ retryAt: Date.now() + 60_000 }),
    onEvent: ({ type }, { handle }) => {
      if (type === 'agent-attempt-failed') handle.cancel()
    },
  })
  expect(cancelled.settlement.outcome).toBe('cancelled')
})
