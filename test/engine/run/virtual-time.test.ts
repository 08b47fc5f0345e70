import { afterAll, describe, expect, test } from 'vitest'
import { createVirtualClock } from '../../../src/engine/index.ts'
import { createTestEngine, runScript, type FinishedRun } from '../../support/engine/run-script.ts'
import { createBackend, USAGE } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

/** A dry run whose agents take as long as their keys say, and validate like a simulated back end. */
async function dryRun(text: string): Promise<FinishedRun> {
  const clock = createVirtualClock(0)
  const backend = createBackend(async ({ key, structured }) => {
    await clock.sleep(1000 + (Number.parseInt(key.slice(0, 4), 16) % 4000))
    if (structured === undefined) return 'text'
    const verdict = await structured.validate({ n: 1 }, 'plain')
    return { kind: 'ok', output: verdict.ok ? verdict.value : null, usage: USAGE }
  })
  return runScript(engine, text, { clock, dry: true, agents: backend, maxConcurrentAgents: 8 })
}

const SCRIPT = `
  const schema = { type: 'object', properties: { n: { type: 'integer' } } }
  phase('One')
  const a = await parallel(Array.from({ length: 30 }, (_, i) => () => agent('a' + i, i % 3 ? { schema } : {})))
  phase('Two')
  const b = await pipeline(Array.from({ length: 12 }, (_, i) => i), (i) => agent('b' + i, { schema }), (p, i) => agent('c' + i), async (p, i) => { if (i === 3) throw new Error('x'); return workflowless(i) })
  function workflowless(i) { return Promise.all([agent('d' + i), agent('e' + i, { schema })]) }
  return [a.length, b.length]`

describe('virtual time', () => {
  test('passes only while agents sleep: a run of hours is over at once', async () => {
    const run = await dryRun(`for (let i = 0; i < 50; i++) await agent('a' + i); return 'done'`)
    expect(run.result).toBe('done')
    const ended = run.events.at(-1)
    expect(ended?.at).toBeGreaterThan(50_000)
    expect(run.events[0]?.at).toBe(0)
    expect(ended).toMatchObject({ durationMs: ended?.at })
  })

  test('gives the same events in the same order, each time', async () => {
    const strip = ({ events }: FinishedRun): string[] =>
      events.map(({ ...event }) => JSON.stringify(event).replaceAll(/RUN\d+/g, 'RUN'))
    const first = strip(await dryRun(SCRIPT))
    expect(first.length).toBeGreaterThan(200)
    for (let i = 0; i < 4; i++) expect(strip(await dryRun(SCRIPT))).toEqual(first)
  })

  test('still finds a script that waits for nothing', async () => {
    const run = await dryRun(`await agent('a'); await new Promise(() => {})`)
    expect(run.settlement.error?.code).toBe('SCRIPT_WAITS')
  })

  test('waits for retries too, and a transient failure costs no real time', async () => {
    const clock = createVirtualClock(0)
    const run = await runScript(engine, `return await agent('a')`, {
      clock,
      dry: true,
      agents: async ({ attempt }) => {
        await clock.sleep(100)
        return attempt < 3 ? { kind: 'dead', error: 'busy', failure: 'transient' } : 'ok'
      },
    })
    expect(run.result).toBe('ok')
    expect(run.events.at(-1)?.at).toBeGreaterThan(1500)
  })
})
