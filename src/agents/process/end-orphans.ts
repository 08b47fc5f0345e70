// Ends agent processes that outlived both their host and its reaper, when the next host comes: they carry the ids of runs that
// nobody runs any more.

import { readdirSync } from 'node:fs'
import { endGroup } from './end-group.ts'
import { hasProcessTable, readCookie, type CallCookie } from './process-table.ts'

const KILL_AFTER_MS = 2_000

/** Ends every process of these runs and resolves with how many calls they belonged to. Without a process table it does nothing. */
export async function endOrphans(runIds: readonly string[]): Promise<number> {
  if (!hasProcessTable || runIds.length === 0) return 0
  const dead = new Set(runIds)
  const found = new Map<string, CallCookie>()
  for (const name of readdirSync('/proc')) {
    const cookie = /^\d+$/.test(name) ? readCookie(Number(name)) : undefined
    if (cookie !== undefined && dead.has(cookie.runId)) found.set(JSON.stringify(cookie), cookie)
  }
  const ends = [...found.values()].map((cookie) =>
    endGroup({ pgid: undefined, startTicks: 0, cookie }, { killAfterMs: KILL_AFTER_MS }),
  )
  await Promise.all(ends)
  return found.size
}
