import Database from 'better-sqlite3'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { makeCallKey } from '../../../src/engine/run/call-key.ts'
import { MemoryStore } from '../../support/engine/memory-store.ts'
import { createTestEngine, startScript } from '../../support/engine/run-script.ts'
import { createBackend } from '../../support/engine/scripted-backend.ts'
import { openTestStore, runIdOf, RunWriter } from '../../support/store/store-helpers.ts'

const engine = await createTestEngine()
afterAll(() => engine.dispose())

const CALLS = 10_000
const ANSWER = 'x'.repeat(1000)
const MOST_HEAP = 100e6

const SCRIPT = `let length = 0
for (let k = 0; k < 10; k++) {
  const answers = await parallel(Array.from({ length: 1000 }, (_, i) => () => agent('part ' + (k * 1000 + i))))
  for (const answer of answers) length += answer.length
}
return length`

/** What SCRIPT leaves in the journal when it has run to its end. */
function fillJournal(file: string, runId: string): void {
  const db = new Database(file)
  const insert =
    db.prepare(`INSERT INTO journal (run_id, agent, path, key, outcome, result, duration_ms, started_seq, origin)
    VALUES (?, ?, ?, ?, 'completed', ?, 1, ?, ?)`)
  db.transaction(() => {
    for (let n = 0; n < CALLS; n++) {
      const path = `/parallel:${Math.floor(n / 1000)}/branch:${n % 1000}/agent:0`
      insert.run(runId, n + 1, path, makeCallKey(`part ${n}`, {}), JSON.stringify(ANSWER), n + 2, runId)
    }
  })()
  db.close()
}

test('a journal of 10,000 records is replayed whole, no agent runs, and little memory is taken', async () => {
  setFlagsFromString('--expose-gc')
  // What the flag adds to each new context.
  const collect = runInNewContext('gc') as () => void
  const { store, file } = await openTestStore()
  const { runId: resumeFrom } = await RunWriter.start(store, runIdOf(1))
  await store.events.flush(resumeFrom)
  fillJournal(file, resumeFrom)
  collect()
  const before = process.memoryUsage().heapUsed
  let events = 0
  let heap = 0
  const agents = createBackend()
  const memory = new MemoryStore()
  // Events are only counted: what becomes of them is another test's matter.
  const append = (): void => {
    if (++events !== CALLS) return
    collect()
    heap = process.memoryUsage().heapUsed - before
  }
  Object.assign(memory.events, { append })
  Object.assign(memory.journal, {
    readReplayable: () => store.journal.readReplayable(resumeFrom),
    openCall: () => undefined,
    closeCall: () => Promise.resolve(),
  })
  const { handle } = await startScript(engine, SCRIPT, { agents, store: memory, resumeFrom, maxAgents: CALLS })
  const { result, outcome } = await handle.settled
  expect({ result, outcome }).toEqual({ result: CALLS * ANSWER.length, outcome: 'completed' })
  expect(agents.requests).toEqual([])
  // Two a call, the first and the last.
  expect(events).toBe(2 * CALLS + 2)
  expect(heap).toBeLessThan(MOST_HEAP)
}, 60_000)
