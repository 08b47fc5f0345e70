// One agent call by the command protocol `jsonl`: one process, from its start to the end of everything it started.

import type { AgentRequest, AgentRunResult } from '../../engine/index.ts'
import type { AgentProgress } from '../../shared/index.ts'
import { AgentsError, messageOf } from '../errors.ts'
import { endGroup } from '../process/end-group.ts'
import type { Reaper } from '../process/reaper-client.ts'
import { startProcess, type StartedProcess } from '../process/start-process.ts'
import { within } from '../process/within.ts'
import { Conversation } from './conversation.ts'
import { CANCEL_LINE, toRunLine } from './messages.ts'

export interface CommandCallOptions {
  command: readonly string[]
  /** Whole environment of the process; WEFT_RUN_ID, WEFT_CALL and WEFT_ATTEMPT come on top. */
  env: Readonly<Record<string, string | undefined>>
  maxLineBytes: number
  timing: CommandTiming
  reaper?: Reaper
}

/** Milliseconds. */
export interface CommandTiming {
  /** From the cancel line to SIGTERM. */
  cancelToTermMs: number
  /** From the cancel line to SIGKILL. */
  cancelToKillMs: number
  /** A process has this long to exit by itself once the call is decided and its stdin closed. */
  exitMs: number
  /** From SIGTERM to SIGKILL for what is left over after a call. */
  leftoverMs: number
  /** What a process that has exited had written is read for so long; others may hold its pipe open for ever. */
  drainMs: number
}

const CANCELLED = 'The call was cancelled.'

/** Never rejects for what the process does; settles with nothing of it left. */
export async function runCommandCall(
  options: CommandCallOptions,
  request: AgentRequest,
  signal: AbortSignal,
  onProgress: (progress: AgentProgress) => void,
): Promise<AgentRunResult> {
  if (signal.aborted) return { kind: 'dead', error: CANCELLED, failure: 'other' }
  let started: StartedProcess
  try {
    started = await startProcess({
      command: options.command,
      cwd: request.cwd,
      env: options.env,
      cookie: { runId: request.runId, call: request.path, attempt: request.attempt },
      ...(options.reaper && { reaper: options.reaper }),
    })
  } catch (error) {
    return describeStart(error)
  }
  const { child } = started
  const conversation = new Conversation({
    request,
    onProgress,
    maxLineBytes: options.maxLineBytes,
    send: (line) => {
      if (child.stdin.writable) child.stdin.write(line)
    },
  })
  try {
    return await new CommandCall(started, conversation, options.timing).run(toRunLine(request), signal)
  } finally {
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    started.release()
  }
}

function describeStart(error: unknown): AgentRunResult {
  // Being out of processes or memory passes; a missing program does not.
  if (error instanceof AgentsError && error.code === 'START_EXHAUSTED') {
    return { kind: 'dead', error: error.message, failure: 'transient' }
  }
  return { kind: 'dead', error: messageOf(error), failure: 'other', notStarted: true }
}

class CommandCall {
  readonly #process: StartedProcess
  readonly #conversation: Conversation
  readonly #timing: CommandTiming
  #over = false

  constructor(started: StartedProcess, conversation: Conversation, timing: CommandTiming) {
    this.#process = started
    this.#conversation = conversation
    this.#timing = timing
  }

  async run(runLine: string, signal: AbortSignal): Promise<AgentRunResult> {
    const { child } = this.#process
    child.stdout.on('error', () => {})
    this.#conversation.log.readStderr(child.stderr)
    child.stdin.write(runLine)
    void this.#unblockAfterExit()

    let onAbort = (): void => {}
    const cancelled = new Promise<AgentRunResult>((resolve) => {
      onAbort = () => {
        void this.#cancel().then(resolve)
      }
    })
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    try {
      const completed = this.#complete()
      // When the cancelling is done first, what became of the conversation interests nobody.
      completed.catch(() => {})
      const result = await Promise.race([completed, cancelled])
      // Whatever it says while it is being ended, it was cancelled because we asked; only a result that was already accepted stands.
      return signal.aborted && result.kind !== 'ok' ? this.#conversation.dead(CANCELLED, 'other') : result
    } finally {
      this.#over = true
      signal.removeEventListener('abort', onAbort)
    }
  }

  async #complete(): Promise<AgentRunResult> {
    const { child, exited, group } = this.#process
    try {
      const result =
        (await this.#conversation.read(child.stdout)) ?? this.#conversation.endedWithout(await this.#ending())
      this.#conversation.log.close()
      return result
    } finally {
      // The process may end by itself; then its group is ended, so that no grandchild survives.
      child.stdin.end()
      child.stdout.resume()
      await within(exited, this.#timing.exitMs)
      await endGroup(group, { killAfterMs: this.#timing.leftoverMs })
    }
  }

  async #ending(): Promise<string> {
    const exit = await within(this.#process.exited, this.#timing.exitMs)
    if (exit === undefined) return 'closed its output'
    return exit.signal === null ? `exited with code ${String(exit.code)}` : `was ended by ${exit.signal}`
  }

  // A grandchild that inherited the pipe would keep us reading after the agent itself is gone.
  async #unblockAfterExit(): Promise<void> {
    const { child, exited, group } = this.#process
    await exited
    await within(new Promise((resolve) => child.stdout.once('close', resolve)), this.#timing.drainMs)
    if (this.#over || child.stdout.closed) return
    await endGroup(group, { killAfterMs: this.#timing.leftoverMs })
    await within(new Promise((resolve) => child.stdout.once('close', resolve)), this.#timing.drainMs)
    child.stdout.destroy()
  }

  async #cancel(): Promise<AgentRunResult> {
    const { child, exited, group } = this.#process
    const { cancelToTermMs, cancelToKillMs } = this.#timing
    const begun = performance.now()
    this.#conversation.log.close()
    if (child.stdin.writable) child.stdin.write(CANCEL_LINE)
    await within(exited, cancelToTermMs)
    if (!this.#over) await endGroup(group, { killAfterMs: Math.max(0, cancelToKillMs - (performance.now() - begun)) })
    return this.#conversation.dead(CANCELLED, 'other')
  }
}
