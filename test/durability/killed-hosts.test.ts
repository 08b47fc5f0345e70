// Hosts in processes of their own are killed with SIGKILL at every place of a run at which something is paid for.

import { describe, expect, test, vi } from 'vitest'
import type { RunId } from '../../src/shared/index.ts'
import { makeHost, type Folders } from '../support/host/make-host.ts'
import { runToEnd } from '../support/host/counting.ts'
import {
  BODY,
  CALLS,
  checkFolder,
  executedPaths,
  makeGatedFolders,
  mapFew,
  nothingRuns,
  openGate,
  readAccounts,
  RESULT,
  killWhileStarting,
  runInVictim,
  wishOf,
  type KillPoint,
  type StartParams,
} from '../support/durability/victims.ts'

// Dozens of hosts: half a minute where nothing else runs.
vi.setConfig({ testTimeout: 150_000 })
const AT_A_TIME = 4

interface Outcome {
  /** Calls that were run although an earlier run had finished them. */
  again: string[]
  result: unknown
  replayed: number
  completed: number
  outcome: string
}

/** Resumes the last of `runs` to its end and closes the books of them all. */
async function goOn(folders: Folders, runs: readonly RunId[]): Promise<Outcome> {
  await nothingRuns(folders)
  openGate(folders)
  const before = executedPaths(folders).length
  const { host, session } = await makeHost({ folders, socket: true })
  const earlier = []
  // One short list after the other.
  // oxlint-disable-next-line no-await-in-loop
  for (const runId of runs) earlier.push(await readAccounts(session, runId))
  const finished = new Set(earlier.flatMap((run) => run.finished))
  const last = runs.at(-1) ?? ''
  const params: StartParams = finished.size === 0 ? wishOf(folders) : { resumeFromRunId: last }
  const { runId, result } = await runToEnd(session, params)
  const { state } = await readAccounts(session, runId)
  await host.dispose('the victim is judged')
  checkFolder(folders)
  const again = executedPaths(folders)
    .slice(before)
    .filter((path) => finished.has(path))
  const { replayed, completed } = state.calls
  return { again, result, replayed, completed, outcome: state.status }
}

const good = (results: number): Outcome => ({
  again: [],
  result: RESULT,
  replayed: results,
  completed: CALLS - results,
  outcome: 'completed',
})

const points: KillPoint[] = Array.from({ length: CALLS }, (_, results) => [
  { results, at: 'result' as const, seed: results },
  { results, at: 'usage' as const, seed: results + 100 },
]).flat()

describe('a host that is killed', () => {
  test('after any number of results, also between usage and result, goes on without paying twice', async () => {
    const outcomes = await mapFew(points, AT_A_TIME, async (point) => {
      const folders = await makeGatedFolders()
      return { point, ...(await goOn(folders, [await runInVictim(folders, wishOf(folders, BODY), point)])) }
    })
    expect(outcomes).toEqual(points.map((point) => ({ point, ...good(point.results) })))
  })

  test('and killed again while its run is resumed, twice, pays for nothing twice', async () => {
    const folders = await makeGatedFolders()
    const first = await runInVictim(folders, wishOf(folders), { results: 4, at: 'usage', seed: 7 })
    const second = await runInVictim(folders, { resumeFromRunId: first }, { results: 3, at: 'result', seed: 8 })
    const third = await runInVictim(folders, { resumeFromRunId: second }, { results: 2, at: 'usage', seed: 9 })
    expect(await goOn(folders, [first, second, third])).toEqual(good(9))
    // Any of them can be resumed, as often as one likes: each run knows what it and those before it have paid for.
    expect(await goOn(folders, [third])).toEqual(good(9))
    expect(await goOn(folders, [first])).toEqual(good(4))
  })

  test('while it starts and ends the runs of its predecessor leaves them to the next one', async () => {
    const folders = await makeGatedFolders()
    const runId = await runInVictim(folders, wishOf(folders), { results: 5, at: 'usage', seed: 3 })
    // From before the program is loaded to after the host has started, wherever that is on this machine.
    for (const afterMs of [60, 90, 120, 150, 180, 220, 10_000]) {
      // One host at a time has the folder.
      // oxlint-disable-next-line no-await-in-loop
      await killWhileStarting(folders, afterMs)
    }
    expect(await goOn(folders, [runId])).toEqual(good(5))
  })

  test('leaves a run that nothing has to be stopped of, beside which another can start', async () => {
    const folders = await makeGatedFolders()
    const runId = await runInVictim(folders, wishOf(folders), { results: 1, at: 'result', seed: 1 })
    openGate(folders)
    const { session } = await makeHost({ folders })
    for (const call of ['run.cancel', 'run.pause', 'run.continue'] as const)
      await expect(session.call(call, { runId })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: `Run ${runId} has ended already: interrupted`,
      })
    const other = await runToEnd(session, wishOf(folders))
    expect(other.result).toEqual(RESULT)
    const { runs } = await session.call('run.list', {})
    expect(runs.map((row) => [row.runId, row.status])).toEqual([
      [other.runId, 'completed'],
      [runId, 'interrupted'],
    ])
  })
})
