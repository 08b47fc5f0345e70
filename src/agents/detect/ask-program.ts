// Asks a program something that it answers at once: no input, no browser, no terminal, and an end after a while.

import { tmpdir } from 'node:os'
import { endGroup } from '../process/end-group.ts'
import type { Reaper } from '../process/reaper-client.ts'
import { startProcess } from '../process/start-process.ts'
import { within } from '../process/within.ts'

export interface AskOptions {
  command: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  limitMs: number
  reaper?: Reaper | undefined
}

const MAX_OUTPUT = 65_536
/** What it printed may come after its end. */
const DRAIN_MS = 200
/** Whoever wants to sign somebody in opens none of these. */
const QUIET = { CI: '1', NO_COLOR: '1', TERM: 'dumb', BROWSER: 'false', DISPLAY: '', WAYLAND_DISPLAY: '' }

/** Undefined when it can't be started or does not end in time; all that it started is ended then. */
export async function askProgram(options: AskOptions): Promise<{ code: number | null; output: string } | undefined> {
  const { command, env, limitMs, reaper } = options
  const cookie = { runId: `probe-${process.pid}`, call: command.join(' ').slice(0, 200), attempt: 1 }
  const started = await startProcess({
    command,
    // Not the workspace: what lies there must not be read by a program that nobody asked to work there.
    cwd: tmpdir(),
    env: { ...env, ...QUIET },
    cookie,
    ...(reaper && { reaper }),
  }).catch(() => undefined)
  if (started === undefined) return undefined
  const { child, group, exited, release } = started
  let output = ''
  child.stdin.end()
  child.stderr.resume()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < MAX_OUTPUT) output += text
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  try {
    const exit = await within(exited, limitMs)
    if (exit === undefined) return undefined
    await within(closed, DRAIN_MS)
    return { code: exit.code, output }
  } finally {
    await endGroup(group, { killAfterMs: 500 })
    child.stdout.destroy()
    child.stderr.destroy()
    release()
  }
}
