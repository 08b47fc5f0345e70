// Starts a program in a process group of its own, without a shell, guarded by the reaper from before it exists.

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { AgentsError, messageOf, systemCode } from '../errors.ts'
import { toEnvironment, toProcessGroup, type CallCookie, type ProcessGroup } from './process-table.ts'
import type { Reaper } from './reaper-client.ts'
import {
  describeMissing,
  findProgram,
  realSurroundings,
  resolveCommand,
  type CommandSurroundings,
} from './resolve-command.ts'

export interface StartProcessOptions {
  /** Program and arguments; never a prompt: arguments are visible to every user of the machine. */
  command: readonly string[]
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Set in the environment as WEFT_RUN_ID, WEFT_CALL and WEFT_ATTEMPT. */
  cookie: CallCookie
  reaper?: Reaper
}

export interface ProcessExit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface StartedProcess {
  readonly child: ChildProcessWithoutNullStreams
  readonly group: ProcessGroup
  /** When the leader has exited; others of its group may live on. Never rejects. */
  readonly exited: Promise<ProcessExit>
  /** To be called once the whole group has ended. */
  release(): void
}

/** Rejects with AgentsError `COMMAND_INVALID` or `START_*`, in words, when nothing could be started. */
export async function startProcess(options: StartProcessOptions): Promise<StartedProcess> {
  const env = withCookie(options.env, options.cookie)
  const around = realSurroundings(env, options.cwd)
  const { program, args } = resolveCommand(options.command, around)
  const guard = options.reaper?.guard(options.cookie)
  try {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    const exited = new Promise<ProcessExit>((resolve) => {
      child.once('exit', (code, signal) => {
        resolve({ code, signal })
      })
    })
    // The leader's start time has to be read in this turn of the event loop: in the next it may have ended and been reaped.
    const group = child.pid === undefined ? undefined : toProcessGroup(child.pid, options.cookie)
    if (group) guard?.started(group)
    // A process that does not read its input must not end the host.
    child.stdin.on('error', () => {})
    await once(child, 'spawn')
    if (group === undefined) throw new AgentsError('START_FAILED', `"${program}" was started without a pid.`)
    child.on('error', () => {})
    return { child, group, exited, release: () => guard?.release() }
  } catch (error) {
    guard?.release()
    throw error instanceof AgentsError ? error : describeStartFailure(error, program, around)
  }
}

function withCookie(env: Readonly<Record<string, string | undefined>>, cookie: CallCookie): Record<string, string> {
  const all: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined) all[name] = value
  return { ...all, ...toEnvironment(cookie) }
}

function describeStartFailure(error: unknown, program: string, around: CommandSurroundings): AgentsError {
  const cause = { cause: error }
  switch (systemCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      if (!statSync(around.cwd, { throwIfNoEntry: false })?.isDirectory()) {
        return new AgentsError(
          'START_NO_FOLDER',
          `The folder "${around.cwd}", in which the agent should work, does not exist.`,
          cause,
        )
      }
      return new AgentsError(
        'START_NOT_FOUND',
        findProgram(program, around) === undefined
          ? describeMissing(program, around)
          : `"${program}" could not be started: the interpreter that its first line names does not exist.`,
        cause,
      )
    case 'EACCES':
    case 'EPERM':
      return new AgentsError(
        'START_NOT_EXECUTABLE',
        `"${program}" may not be executed. Make it executable (chmod +x), or name its interpreter first in the command.`,
        cause,
      )
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return new AgentsError(
        'START_EXHAUSTED',
        `"${program}" could not be started because the system is out of processes, files or memory (${messageOf(error)}).`,
        cause,
      )
    default:
      return new AgentsError('START_FAILED', `"${program}" could not be started: ${messageOf(error)}`, cause)
  }
}
