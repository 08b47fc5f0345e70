// What must be true of a round's runs, whatever happened to them.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import {
  EMPTY_RUN,
  foldRunAll,
  type AgentStatus,
  type RunEvent,
  type RunRow,
  type RunState,
} from '../src/shared/index.ts'
import type { House } from './house.ts'

export interface Verdict {
  runs: number
  /** Calls that later runs took over without running them. */
  replayed: number
  /** Every invariant that does not hold, in words. */
  faults: string[]
}

/** `expected` is the result of the undisturbed run, as JSON. */
export async function judge(house: House, expected: string): Promise<Verdict> {
  const faults: string[] = []
  const rows = await readRows(house)
  const runs = []
  for (const row of rows) {
    // Each asks the host that the folder has by then.
    // oxlint-disable-next-line no-await-in-loop
    const state = await readRun(house, row, faults)
    if (state !== undefined) runs.push({ row, state })
  }
  const played = runs.map(({ row, state }) => ({ runId: row.runId, calls: state.agents }))
  faults.push(...findRepeated(played, house.executions()))
  const last = runs.at(-1)
  if (last === undefined) faults.push('there is no run')
  else {
    const result = (await house.ask(['result', last.row.runId])).trim()
    if (last.row.status !== 'completed') faults.push(`the last run is ${last.row.status}`)
    else if (canonical(result) !== canonical(expected))
      faults.push(`the result is ${result.slice(0, 300)}, undisturbed it was ${expected.slice(0, 300)}`)
  }
  const worktrees = house.emptyWorktrees()
  if (worktrees.length > 0) faults.push(`worktrees are left that nothing is in: ${worktrees.join(', ')}`)
  const replayed = runs.reduce((sum, { state }) => sum + state.calls.replayed, 0)
  return { runs: runs.length, replayed, faults: [...faults, ...checkFiles(house)] }
}

interface PlayedRun {
  runId: string
  calls: readonly { path: string; status: AgentStatus }[]
}

/** Executions of calls that an earlier run of the same round had finished. `runs` are in the order in which they began. */
export function findRepeated(
  runs: readonly PlayedRun[],
  executions: readonly { runId: string; path: string }[],
): string[] {
  const faults: string[] = []
  const finished = new Map<string, string>()
  for (const { runId, calls } of runs) {
    for (const { path } of executions.filter((execution) => execution.runId === runId)) {
      const before = finished.get(path)
      if (before !== undefined) faults.push(`run ${runId} ran ${path} again, which ${before} had finished`)
    }
    for (const { path, status } of calls)
      if ((status === 'completed' || status === 'replayed') && !finished.has(path)) finished.set(path, runId)
  }
  return faults
}

async function readRows(house: House): Promise<RunRow[]> {
  // Our own command's own format.
  const rows = JSON.parse(await house.ask(['runs', '--json', '--limit', '1000'])) as RunRow[]
  return rows.toReversed()
}

async function readRun(house: House, row: RunRow, faults: string[]): Promise<RunState | undefined> {
  const lines = (await house.ask(['events', row.runId])).trim().split('\n')
  const fault = (what: string): void => void faults.push(`run ${row.runId} (${row.status}): ${what}`)
  try {
    // Folding throws at the first event that may not stand where it does.
    const state = foldRunAll(
      EMPTY_RUN,
      lines.map((line) => JSON.parse(line) as RunEvent),
    )
    const { completed, failed, skipped, cancelled, replayed } = state.calls
    if (state.endedAt === undefined) fault('it has no end')
    if (completed + failed + skipped + cancelled + replayed !== state.agents.length) fault('starts and ends differ')
    if (state.status !== row.status) fault(`its events say ${state.status}`)
    if (state.usage.outputTokens !== row.outputTokens)
      fault(`its events say ${state.usage.outputTokens} tokens, its row ${row.outputTokens}`)
    return state
  } catch (error) {
    fault(error instanceof Error ? error.message : String(error))
    return undefined
  }
}

function checkFiles(house: House): string[] {
  const known = new Set(['lock.db', 'weft.db', 'settings.json', 'socket', 'worktrees', 'host.log'])
  const left = readdirSync(house.dataDir).filter((name) => !known.has(name))
  const faults = left.map((name) => `${name} is left in the data folder`)
  for (const folder of [house.temp, join(house.dataDir, 'socket')])
    if (existsSync(folder)) faults.push(...readdirSync(folder).map((name) => `${name} is left in ${folder}`))
  const db = new Database(join(house.dataDir, 'weft.db'), { readonly: true })
  try {
    const problems = ['integrity_check', 'foreign_key_check'].flatMap((check) =>
      db.prepare(`PRAGMA ${check}`).raw().all(),
    )
    if (JSON.stringify(problems) !== '[["ok"]]') faults.push(`the database is damaged: ${JSON.stringify(problems)}`)
  } finally {
    db.close()
  }
  return faults
}

function canonical(json: string): string {
  return JSON.stringify(JSON.parse(json))
}
