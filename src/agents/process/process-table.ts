// Reads the process table (/proc) to find all that an agent call started: its group, what left the group, what left the session.
// Elsewhere than on Linux there is no /proc, and a group is known by its number alone.

import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Marks in the environment of a call's processes; children inherit them wherever they go. */
export interface CallCookie {
  runId: string
  call: string
  /** The next attempt begins while the last processes of this one are still being looked for. */
  attempt: number
}

/** The variables that carry it. */
export function toEnvironment({ runId, call, attempt }: CallCookie): Record<string, string> {
  return { WEFT_RUN_ID: runId, WEFT_CALL: call, WEFT_ATTEMPT: String(attempt) }
}

export interface ProcessGroup {
  /** The leader's pid, which is the number of its group and its session. Undefined when only the cookie is known. */
  pgid: number | undefined
  /** When the leader started, in clock ticks since boot; tells it from a later process with the same pid. Undefined without /proc. */
  startTicks: number | undefined
  cookie?: CallCookie
}

export interface ProcessEntry {
  pid: number
  ppid: number
  pgid: number
  startTicks: number
}

export const hasProcessTable: boolean = existsSync('/proc/self/stat')

/** The process as the kernel lists it now; undefined when it is gone, a zombie, or there is no /proc. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const entry = readEntry(pid)
  return entry === undefined || entry.dead ? undefined : entry
}

function readEntry(pid: number): (ProcessEntry & { dead: boolean }) | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // The name in parentheses may hold anything, parentheses and spaces too: fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, ppid, pgid] = fields
  const dead = state === 'Z' || state === 'X'
  return { pid, ppid: Number(ppid), pgid: Number(pgid), startTicks: Number(fields[19]), dead }
}

/**
 * A group as soon as its leader was spawned. The leader may have ended already, but it can't be reaped before the current
 * turn of the event loop ends: until then it is listed, if only as a zombie.
 */
export function toProcessGroup(pgid: number, cookie?: CallCookie): ProcessGroup {
  return { pgid, startTicks: readEntry(pgid)?.startTicks, ...(cookie && { cookie }) }
}

const SLICE = 64
let nextScan: Promise<ProcessEntry[]> | undefined

// One scan serves all who ask before it begins, and it yields between slices: many calls may end at the same moment.
function scanProcesses(): Promise<ProcessEntry[]> {
  nextScan ??= scan()
  return nextScan
}

async function scan(): Promise<ProcessEntry[]> {
  await nextTurn()
  nextScan = undefined
  const pids = readdirSync('/proc').filter((name) => name.charCodeAt(0) <= 57 && name.charCodeAt(0) >= 48)
  const entries: ProcessEntry[] = []
  for (const [index, pid] of pids.entries()) {
    if (index > 0 && index % SLICE === 0) await nextTurn()
    const entry = readProcess(Number(pid))
    if (entry !== undefined) entries.push(entry)
  }
  return entries
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/**
 * Every living process of the call: in its group, carrying its cookie, or descending from one of those. Never this process
 * itself. A process older than the group's leader is never among them, so that a recycled pid is not taken for ours.
 */
export async function findGroupProcesses(group: ProcessGroup): Promise<ProcessEntry[]> {
  const since = group.startTicks
  if (!hasProcessTable || since === undefined) return []
  const entries = (await scanProcesses()).filter((entry) => entry.startTicks >= since && isForeign(entry.pid))
  const leader = entries.find((entry) => entry.pid === group.pgid)
  const recycled = leader !== undefined && leader.startTicks !== since
  const found = new Map<number, ProcessEntry>()
  for (const entry of entries) {
    const inGroup = entry.pgid === group.pgid && !recycled
    if (inGroup || (group.cookie && carriesCookie(entry.pid, group.cookie))) found.set(entry.pid, entry)
  }
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const entry of entries) if (found.has(entry.ppid)) found.set(entry.pid, entry)
  }
  return [...found.values()]
}

function isForeign(pid: number): boolean {
  return pid > 1 && pid !== process.pid
}

/** The cookie that a process carries; undefined when it has none, is gone, or is another user's. */
export function readCookie(pid: number): CallCookie | undefined {
  const variables = readEnvironment(pid)
  const valueOf = (name: string): string | undefined =>
    variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1)
  const [runId, call, attempt] = ['WEFT_RUN_ID', 'WEFT_CALL', 'WEFT_ATTEMPT'].map(valueOf)
  if (runId === undefined || call === undefined || attempt === undefined) return undefined
  return { runId, call, attempt: Number(attempt) }
}

function readEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function carriesCookie(pid: number, cookie: CallCookie): boolean {
  const variables = new Set(readEnvironment(pid))
  return Object.entries(toEnvironment(cookie)).every(([name, value]) => variables.has(`${name}=${value}`))
}
