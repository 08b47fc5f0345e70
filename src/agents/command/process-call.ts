// Talks with one started agent process until the call is decided, cancelled or the process gone, and leaves nothing of it.

import type { AgentRunResult } from '../../engine/index.ts'
import { AgentsError, messageOf } from '../errors.ts'
import { endGroup } from '../process/end-group.ts'
import type { ProcessExit, StartedProcess } from '../process/start-process.ts'
import { within } from '../process/within.ts'
import type { Conversation } from './conversation.ts'
import type { AgentMessage } from './messages.ts'

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

export interface ProcessTalk {
  /** Written to stdin first. */
  input: string
  /** Stdin closes right behind the input. */
  closeInput: boolean
  /** Written to stdin when the call is cancelled. */
  cancelLine?: string
  /** What its end says, for programs whose last line is no verdict. */
  atEnd?(exit: ProcessExit | undefined): AgentMessage | undefined
}

export const CANCELLED = 'The call was cancelled.'

export function cancelledBefore(): AgentRunResult {
  return { kind: 'dead', error: CANCELLED, failure: 'other' }
}

export function describeStart(error: unknown): AgentRunResult {
  // Being out of processes or memory passes; a missing program does not.
  if (error instanceof AgentsError && error.code === 'START_EXHAUSTED') {
    return { kind: 'dead', error: error.message, failure: 'transient' }
  }
  return { kind: 'dead', error: messageOf(error), failure: 'other', notStarted: true }
}

export class ProcessCall {
  readonly #process: StartedProcess
  readonly #conversation: Conversation
  readonly #timing: CommandTiming
  readonly #talk: ProcessTalk
  #over = false

  constructor(started: StartedProcess, conversation: Conversation, timing: CommandTiming, talk: ProcessTalk) {
    this.#process = started
    this.#conversation = conversation
    this.#timing = timing
    this.#talk = talk
  }

  /** `again`: an answer was refused, and the process ended before it could be told. */
  async run(signal: AbortSignal): Promise<AgentRunResult | 'again'> {
    const { child } = this.#process
    child.stdout.on('error', () => {})
    this.#conversation.log.readStderr(child.stderr)
    child.stdin.write(this.#talk.input)
    if (this.#talk.closeInput) child.stdin.end()
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
      return signal.aborted && (result === 'again' || result.kind !== 'ok')
        ? this.#conversation.dead(CANCELLED, 'other')
        : result
    } finally {
      this.#over = true
      signal.removeEventListener('abort', onAbort)
    }
  }

  async #complete(): Promise<AgentRunResult | 'again'> {
    const { child, exited, group } = this.#process
    try {
      const result = (await this.#conversation.read(child.stdout)) ?? (await this.#conclude())
      if (result !== 'again') this.#conversation.log.close()
      return result
    } finally {
      // The process may end by itself; then its group is ended, so that no grandchild survives.
      child.stdin.end()
      child.stdout.resume()
      await within(exited, this.#timing.exitMs)
      await endGroup(group, { killAfterMs: this.#timing.leftoverMs })
    }
  }

  async #conclude(): Promise<AgentRunResult | 'again'> {
    const exit = await within(this.#process.exited, this.#timing.exitMs)
    const verdict = this.#talk.atEnd?.(exit)
    const result = verdict && (await this.#conversation.take(verdict))
    if (result) return result
    if (this.#talk.closeInput && this.#conversation.isAnswerDue) return 'again'
    return this.#conversation.endedWithout(describeExit(exit))
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
    if (this.#talk.cancelLine !== undefined && child.stdin.writable) child.stdin.write(this.#talk.cancelLine)
    await within(exited, cancelToTermMs)
    if (!this.#over) await endGroup(group, { killAfterMs: Math.max(0, cancelToKillMs - (performance.now() - begun)) })
    return this.#conversation.dead(CANCELLED, 'other')
  }
}

function describeExit(exit: ProcessExit | undefined): string {
  if (exit === undefined) return 'closed its output'
  return exit.signal === null ? `exited with code ${String(exit.code)}` : `was ended by ${exit.signal}`
}
