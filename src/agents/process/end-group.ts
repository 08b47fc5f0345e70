// Ends everything an agent call started, children of children included, and makes sure that nothing else is hit.

import { execFile } from 'node:child_process'
import { systemCode } from '../errors.ts'
import {
  findGroupProcesses,
  hasProcessTable,
  readProcess,
  type ProcessEntry,
  type ProcessGroup,
} from './process-table.ts'

/** How long processes that were killed may take to leave the table before they are given up (uninterruptible sleep). */
const GONE_MS = 2_000

/**
 * SIGTERM now, SIGKILL after `killAfterMs`; resolves once no process of the group is left, or with the pids of those that
 * even SIGKILL did not end. Resolves at once when there are none. On Windows the tree below the leader is ended.
 */
export async function endGroup(group: ProcessGroup, options: { killAfterMs: number }): Promise<number[]> {
  if (process.platform === 'win32') return group.pgid === undefined ? [] : endTreeOnWindows(group.pgid)
  if (!(await signalGroup(group, 'SIGTERM'))) return []
  if (await waitUntilGone(group, options.killAfterMs)) return []
  const deadline = performance.now() + GONE_MS
  while (performance.now() < deadline) {
    // Again and again: a process may have forked between the look and the signal.
    await signalGroup(group, 'SIGKILL')
    if (await waitUntilGone(group, 100)) return []
  }
  return (await findGroupProcesses(group)).map((entry) => entry.pid)
}

/** True while any process of the group is alive. */
export async function isGroupAlive(group: ProcessGroup): Promise<boolean> {
  if (hasProcessTable) return (await findMembers(group)).length > 0
  return group.pgid !== undefined && signal(-group.pgid, 0)
}

// A process may fork and end while the table is being read, so that neither it nor its child is seen. If the kernel still
// knows the group although nobody was found in it (it does for zombies, too), the table is read once more.
async function findMembers(group: ProcessGroup): Promise<ProcessEntry[]> {
  const members = await findGroupProcesses(group)
  if (members.length > 0 || group.pgid === undefined || !signal(-group.pgid, 0)) return members
  return findGroupProcesses(group)
}

// Returns whether there was anyone to signal.
async function signalGroup(group: ProcessGroup, name: 'SIGTERM' | 'SIGKILL'): Promise<boolean> {
  const { pgid } = group
  if (!hasProcessTable) return pgid !== undefined && signal(-pgid, name)
  const members = await findMembers(group)
  // One signal for the whole group first: nobody in it can slip away between two single ones.
  if (pgid !== undefined && members.some((entry) => entry.pgid === pgid && isStillThere(entry))) signal(-pgid, name)
  for (const entry of members) if (entry.pgid !== pgid && isStillThere(entry)) signal(entry.pid, name)
  return members.length > 0
}

function isStillThere(entry: ProcessEntry): boolean {
  return readProcess(entry.pid)?.startTicks === entry.startTicks
}

async function waitUntilGone(group: ProcessGroup, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    if (!(await isGroupAlive(group))) return true
    const left = deadline - performance.now()
    if (left <= 0) return false
    await delay(Math.min(pause, left))
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

// Returns whether there was anyone to signal.
function signal(target: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, name)
    return true
  } catch (error) {
    // EPERM: only zombies are left (macOS), or a process that changed its user, which we may not end.
    if (systemCode(error) === 'ESRCH' || systemCode(error) === 'EPERM') return false
    throw error
  }
}

function endTreeOnWindows(pid: number): Promise<number[]> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true }, () => {
      resolve([])
    })
  })
}
