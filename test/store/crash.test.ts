// The process that writes is killed with SIGKILL in mid-write: whatever it was promised is there, and nothing is half there.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asAgentNumber, asRunId, EMPTY_RUN, foldRunAll } from '../../src/shared/index.ts'
import type { Store } from '../../src/store/index.ts'
import { startChild } from '../support/store/child.ts'
import { makeFolder, openTestStore } from '../support/store/store-helpers.ts'

const WRITER = new URL('../support/store/write-until-killed.ts', import.meta.url)

/** The last number said for each run. */
function lastPromised(lines: readonly string[], word: string): Map<string, number> {
  const promised = lines.map((line) => line.split(' ')).filter(([first]) => first === word)
  return new Map(promised.map(([, run, n]) => [run ?? '', Number(n)]))
}

function expectPromisesKept(store: Store, lines: readonly string[]): void {
  expect(lines.filter((line) => line.startsWith('error'))).toEqual([])
  for (const [run, seq] of lastPromised(lines, 'stored')) {
    const events = store.readEvents(asRunId(run), 1, 1_000_000)
    expect(events.length).toBeGreaterThanOrEqual(seq)
    expect(foldRunAll(EMPTY_RUN, events).seq).toBe(events.length)
  }
  for (const [run, agents] of lastPromised(lines, 'closed')) {
    for (let n = 1; n <= agents; n++) {
      const result = store.readCall(asRunId(run), asAgentNumber(n))?.result
      expect(result).toBe(n % 10 === 0 ? `${run} ${n} `.repeat(20_000) : `${run} ${n}`)
    }
  }
}

test('after kill -9 in mid-write, three times over, everything that was acknowledged is there and the file is sound', async () => {
  const file = join(makeFolder(), 'weft.db')
  const lines: string[] = []
  for (const [name, calls] of [
    ['first', 15],
    ['second', 40],
    ['third', 120],
  ] as const) {
    const child = startChild(WRITER, [file, name])
    await child.until((said) => said.filter((line) => line.startsWith('closed')).length >= calls)
    await child.kill()
    lines.push(...child.lines)
  }
  const { store } = await openTestStore({ file })
  expectPromisesKept(store, lines)
  expect(await store.checkIntegrity()).toMatchObject({ ok: true, problems: [], runs: 9 })
})

test('the runs of a killed process are interrupted by the recovery and can be resumed from', async () => {
  const file = join(makeFolder(), 'weft.db')
  const child = startChild(WRITER, [file, 'run'])
  await child.until((said) => said.filter((line) => line.startsWith('closed')).length >= 30)
  await child.kill()
  const { store, errors } = await openTestStore({ file })
  const report = await store.recoverInterrupted(5000)
  expect(report).toEqual({ interrupted: ['run-1', 'run-2', 'run-3'], removed: [], damaged: [] })
  for (const runId of report.interrupted) {
    const state = foldRunAll(EMPTY_RUN, store.readEvents(runId, 1, 1_000_000))
    const journalled = await store.journal.readReplayable(runId)
    // What was paid for counts, whatever became of the event that tells so.
    const paid = journalled.reduce((sum, row) => sum + (row.usage?.outputTokens ?? 0), 0)
    expect(state).toMatchObject({ status: 'interrupted', running: 0, queued: 0, usage: { outputTokens: paid } })
    expect(store.readRow(runId)).toMatchObject({ status: 'interrupted', outputTokens: paid })
    expect(journalled.length).toBe(state.calls.completed)
  }
  expect(errors).toEqual([])
})
