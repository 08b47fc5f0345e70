// Whatever happens to a run at whatever moment: every call has one end, nothing follows the run's end, nothing is left over.
// The kit checks all of that for each run; here runs are disturbed at every kind of event.

import { afterAll, describe, expect, test } from 'vitest'
import { createTestEngine, runScript } from '../../support/engine/run-script.ts'
import type { Behaviour } from '../../support/engine/scripted-backend.ts'

const engine = await createTestEngine({ cancelGraceMs: 1000 })
afterAll(() => engine.dispose())

const SCRIPT = `
  phase('One')
  agent('unawaited')
  const a = await parallel([1, 2, 3, 4].map((i) => async () => { log('b' + i); if (i === 3) throw new Error('three'); return agent('p' + i) }))
  const n = await workflow('inner', { i: 1 }).catch((e) => e.message)
  const b = await pipeline(['x', 'y'], (v) => agent('s ' + v), (p, v) => agent('t ' + v))
  return [a, n, b]`

const INNER = `export const meta = { name: 'inner', description: 'd' }
  return await Promise.all([agent('i1'), agent('i2')])`

const agents: Behaviour = async ({ prompt, attempt }, { signal, onProgress }) => {
  onProgress({ kind: 'text', text: `at ${prompt}` })
  for (let i = 0; i < 3 && !signal.aborted; i++) await new Promise((resolve) => setImmediate(resolve))
  if (signal.aborted) return { kind: 'dead', error: 'aborted', failure: 'other' }
  if (prompt === 'p2') return { kind: 'dead', error: 'no', failure: 'refused' }
  if (prompt === 'i1') return { kind: 'skipped' }
  return attempt === 1 && prompt === 's x' ? { kind: 'dead', error: 'busy', failure: 'transient' } : prompt
}

describe('a run that is disturbed at its nth event', () => {
  const actions = ['cancel', 'pause', 'skip', 'stop', 'retry'] as const
  test.each([2, 5, 8, 11, 14, 17, 20, 24, 28, 33, 38, 44, 50])('ends once and leaves nothing (n = %d)', async (n) => {
    const ends = await Promise.all(
      actions.map((action) =>
        runScript(engine, SCRIPT, {
          agents,
          workflows: { inner: INNER },
          maxConcurrentAgents: 2,
          agentRetries: 0,
          onEvent: ({ seq, type }, { handle, store }) => {
            if (seq !== n || type === 'run-ended') return
            if (action === 'cancel') return handle.cancel('disturbed')
            if (action === 'pause') {
              handle.pause('disturbed')
              setImmediate(() => handle.continue())
              return
            }
            for (const { agent } of store.record(handle.id).state.agents) handle.act(agent, action)
          },
        }),
      ),
    )
    for (const { state, backend, settlement } of ends) {
      const { completed, failed, skipped, cancelled, replayed } = state.calls
      expect(completed + failed + skipped + cancelled + replayed).toBe(state.agents.length)
      expect(backend.running).toBe(0)
      expect(['completed', 'cancelled']).toContain(settlement.outcome)
    }
  })
})
