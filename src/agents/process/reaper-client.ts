// The host's side of the reaper: one small process that outlives a killed host just long enough to end its agents.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../errors.ts'
import type { CallCookie, ProcessGroup } from './process-table.ts'

/** One line on the reaper's stdin. `guard` with a cookie alone is sent before the process exists. */
export type ReaperMessage =
  | { op: 'guard'; id: number; cookie: CallCookie; group?: { pgid: number; startTicks?: number } }
  | { op: 'release'; id: number }

export interface Guard {
  /** The process exists. */
  started(group: ProcessGroup): void
  /** Nothing of it is left. */
  release(): void
}

export interface Reaper {
  /** From now on, should this process be killed, what carries the cookie or is in the group is ended within 5 s. */
  guard(cookie: CallCookie): Guard
  /** Ends the reaper process, and with it whatever is still guarded. Resolves when it is gone. */
  dispose(): Promise<void>
}

export interface ReaperOptions {
  /** The file `reaper.ts`, or its bundle. */
  file: string | URL
  /** Runs the file; this process's own program by default, which for Electron means running it as Node. */
  execPath?: string
  /** Told once when no reaper can be had: agents run on unguarded. */
  onError?(message: string): void
}

/** How often a reaper that was killed is replaced. */
const MAX_STARTS = 5

/** The process is started with the first guard, and does not keep this one alive. */
export function createReaper(options: ReaperOptions): Reaper {
  const guarded = new Map<number, Extract<ReaperMessage, { op: 'guard' }>>()
  let child: ChildProcess | undefined
  let starts = 0
  let lastId = 0
  let disposed = false

  const send = (message: ReaperMessage): void => {
    if (child === undefined) start()
    else child.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  // A fresh reaper is told of everything that is guarded.
  const start = (): void => {
    if (disposed || starts >= MAX_STARTS) return
    starts++
    child = spawnReaper(options)
    const current = child
    let failed = false
    const onGone = (reason: string): void => {
      if (failed) return
      failed = true
      if (child === current) child = undefined
      if (disposed) return
      if (starts >= MAX_STARTS) options.onError?.(`Agents are not guarded against a crash of this program: ${reason}`)
      else if (guarded.size > 0) start()
    }
    current.once('error', (error) => {
      onGone(`the reaper could not be started (${messageOf(error)})`)
    })
    current.once('exit', (code, signal) => {
      onGone(`the reaper ended again and again (exit code ${String(code)}, signal ${String(signal)})`)
    })
    for (const message of guarded.values()) current.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  return {
    guard(cookie) {
      const id = ++lastId
      const put = (message: Extract<ReaperMessage, { op: 'guard' }>): void => {
        guarded.set(id, message)
        send(message)
      }
      put({ op: 'guard', id, cookie })
      return {
        started(group) {
          const { pgid, startTicks } = group
          if (pgid === undefined) return
          put({ op: 'guard', id, cookie, group: { pgid, ...(startTicks !== undefined && { startTicks }) } })
        },
        release() {
          if (guarded.delete(id) && child) send({ op: 'release', id })
        },
      }
    },
    async dispose() {
      disposed = true
      const current = child
      if (current === undefined || current.exitCode !== null || current.signalCode !== null) return
      const gone = once(current, 'exit')
      current.ref()
      current.stdin?.end()
      await gone
    },
  }
}

function spawnReaper(options: ReaperOptions): ChildProcess {
  const env: Record<string, string | undefined> = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  // Not to be taken for an agent's process when this host itself was started by one; options for Node are not for it.
  for (const name of ['WEFT_RUN_ID', 'WEFT_CALL', 'WEFT_ATTEMPT', 'NODE_OPTIONS']) delete env[name]
  const file = options.file instanceof URL ? fileURLToPath(options.file) : options.file
  const execPath = options.execPath ?? process.execPath
  const child = spawn(execPath, [file], {
    // A folder that can't be unmounted or deleted under it.
    cwd: parse(execPath).root || '/',
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  })
  child.stdin?.on('error', () => {})
  child.unref()
  // The pipe is a socket underneath, and would keep this process alive.
  if (child.stdin instanceof Socket) child.stdin.unref()
  return child
}
