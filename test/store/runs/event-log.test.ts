import { expect, test } from 'vitest'
import { asAgentNumber, asRunId, RunLogError, type RunEvent, type RunId } from '../../../src/shared/index.ts'
import { runStarted } from '../../support/shared/events.ts'
import { createRun, openTestStore, runIdOf, RunWriter, until } from '../../support/store/store-helpers.ts'

const line = (message: string) => ({ message, level: 'log', source: 'log', phase: null, group: 0 }) as const

test('what is appended in one tick reaches a listener once for each run, in order, after the commit', async () => {
  const { store } = await openTestStore()
  const first = await RunWriter.start(store, runIdOf(1))
  const second = await RunWriter.start(store, runIdOf(2))
  await Promise.all([store.events.flush(first.runId), store.events.flush(second.runId)])
  const told: { runId: RunId; seqs: number[]; stored: number }[] = []
  store.onStored((runId, events) =>
    told.push({ runId, seqs: events.map(({ seq }) => seq), stored: store.lastSeq(runId) }),
  )
  for (let n = 0; n < 1000; n++) {
    first.add('log', line(`first ${n}`))
    if (n < 2) second.add('log', line(`second ${n}`))
  }
  await store.events.flush(first.runId)
  expect(told).toEqual([
    { runId: first.runId, seqs: Array.from({ length: 1000 }, (_, n) => n + 2), stored: 1001 },
    { runId: second.runId, seqs: [2, 3], stored: 3 },
  ])
})

test('events come back as they were appended, from any number on, as many as asked for', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const appended: RunEvent[] = []
  for (let n = 0; n < 10; n++) appended.push(run.add('log', line(`line ${n}`)))
  await store.events.flush(run.runId)
  expect(store.readEvents(run.runId, 2, 100)).toEqual(appended)
  expect(store.readEvents(run.runId, 5, 3)).toEqual(appended.slice(3, 6))
  expect(store.readEvents(run.runId, 12, 3)).toEqual([])
  expect([store.lastSeq(run.runId), store.lastSeq(runIdOf(9))]).toEqual([11, 0])
})

test('an illegal event throws at once, is not stored, and the next legal one is taken', async () => {
  const { store, errors } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const skipped: RunEvent = { seq: 5, at: 1, type: 'run-continued', by: 'user' }
  expect(() => store.events.append(run.runId, skipped)).toThrow(RunLogError)
  expect(() => run.add('agent-started', { agent: asAgentNumber(1), attempt: 1 })).toThrow(/never queued/)
  run.add('log', line('legal'))
  await store.events.flush(run.runId)
  expect(store.readEvents(run.runId, 1, 10).map(({ type }) => type)).toEqual(['run-started', 'log'])
  expect(errors).toEqual([])
})

test('nothing is taken after run-ended, neither at once nor when the run is long forgotten', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  run.end()
  expect(() => run.add('log', line('late'))).toThrow(/nothing may follow run-ended/)
  await store.events.flush(run.runId)
  expect(() => run.add('log', line('later'))).toThrow(/nothing may follow run-ended/)
})

test('events of a run that was not created, and a run-started of another run, are refused', async () => {
  const { store } = await openTestStore()
  const unknown = new RunWriter(store, runIdOf(1))
  expect(() => unknown.add('log', line('?'))).toThrow(expect.objectContaining({ code: 'UNKNOWN_RUN' }))
  await createRun(store, runIdOf(2))
  const mistaken = new RunWriter(store, runIdOf(2))
  expect(() => mistaken.add('run-started', runStarted({ runId: asRunId('other') }))).toThrow(
    expect.objectContaining({ code: 'CONFLICT' }),
  )
})

test('an id that is taken is refused, and the run that has it goes on', async () => {
  const { store, errors } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  await expect(createRun(store, run.runId)).rejects.toMatchObject({ code: 'CONFLICT' })
  run.end()
  await store.events.flush(run.runId)
  await expect(createRun(store, run.runId)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(errors).toEqual([])
})

test('a listener that throws is reported and starves nobody; one that ended is not told', async () => {
  const { store, errors } = await openTestStore()
  const told: string[] = []
  store.onStored(() => {
    throw new Error('broken listener')
  })
  store.onStored(() => void told.push('second'))
  const end = store.onStored(() => void told.push('ended'))
  end()
  const run = await RunWriter.start(store, runIdOf(1))
  await store.events.flush(run.runId)
  expect(told).toEqual(['second'])
  expect(errors.map(({ message }) => message)).toEqual(['broken listener'])
})

test('an interrupted log is taken up again after a restart', async () => {
  const opened = await openTestStore()
  const run = await RunWriter.start(opened.store, runIdOf(1))
  run.startAgent()
  await opened.store.close()
  const { store } = await openTestStore({ file: opened.file })
  const after = new RunWriter(store, run.runId)
  after.seq = run.seq
  after.add('agent-ended', { agent: asAgentNumber(1), outcome: 'cancelled', durationMs: 1, attempts: 1 })
  after.end()
  await store.events.flush(run.runId)
  expect(store.readRow(run.runId)).toMatchObject({ status: 'completed', agents: 1, calls: { cancelled: 1 } })
})

test('after a failed write the run is refused without a gap, told once, and listed as interrupted', async () => {
  const { store, file, errors } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  const other = await RunWriter.start(store, runIdOf(2))
  const call = run.startAgent()
  await run.endAgent(call, 'first')
  // A second journal row for the same agent breaks the primary key.
  const again = store.journal.closeCall(run.runId, {
    agent: call.agent,
    path: call.path,
    key: call.key,
    outcome: 'completed',
    result: 'second',
    usage: null,
    durationMs: 1,
    startedSeq: call.startedSeq,
    origin: run.runId,
  })
  const alsoWaiting = store.journal.saveResult(run.runId, 'lost')
  await expect(again).rejects.toMatchObject({ code: 'CONSTRAINT' })
  await expect(alsoWaiting).rejects.toMatchObject({ code: 'RUN_REFUSED' })
  expect(() => run.add('log', line('refused'))).toThrow(expect.objectContaining({ code: 'RUN_REFUSED' }))
  await expect(store.events.flush(run.runId)).rejects.toMatchObject({ code: 'RUN_REFUSED' })
  await expect(store.journal.saveResult(run.runId, 1)).rejects.toMatchObject({ code: 'RUN_REFUSED' })
  expect(() => store.journal.openCall(run.runId, call)).toThrow(expect.objectContaining({ code: 'RUN_REFUSED' }))
  other.add('log', line('other runs go on'))
  await store.events.flush(other.runId)
  expect(errors).toHaveLength(1)
  expect(store.readCall(run.runId, call.agent)).toMatchObject({ result: 'first' })
  await until(() => store.readRow(run.runId)?.status === 'interrupted')
  expect(store.readRow(run.runId)).toMatchObject({ agents: 1, error: expect.stringContaining('breaks a rule') })
  other.end()
  await store.close()
  const after = await openTestStore({ file })
  expect((await after.store.recoverInterrupted(5000)).interrupted).toEqual([run.runId])
  expect(after.store.readEvents(run.runId, 1, 100).at(-1)?.type).toBe('run-ended')
})

test('events of a commit that was refused are never shown', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  await store.events.flush(run.runId)
  const shown: number[] = []
  store.onStored((_runId, events) => void shown.push(...events.map(({ seq }) => seq)))
  const call = run.startAgent()
  await run.endAgent(call, 1)
  await store.journal
    .closeCall(run.runId, { ...call, outcome: 'failed', result: null, usage: null, durationMs: 1, origin: run.runId })
    .catch(() => undefined)
  expect(shown).toEqual(store.readEvents(run.runId, 2, 100).map(({ seq }) => seq))
})

test('a run that has ended leaves nothing in memory that a flush would wait for', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  run.end()
  await until(() => store.readRow(run.runId)?.status === 'completed')
  await store.events.flush(run.runId)
  expect(store.readRow(run.runId)?.endedAt).toBe(1002)
})
