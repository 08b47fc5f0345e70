// The conversation with a run's script: takes what it says to the parts that concern it, brings it their answers, and tells
// how it came to its end.

import type { JsonValue, RunError } from '../../shared/index.ts'
import { locateScript } from '../sandbox/locate.ts'
import type { HostMessage, WorkerMessage, WorkerMessageOf } from '../sandbox/protocol.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Overrun, Watchdog } from '../sandbox/watchdog.ts'
import { toWritten } from '../script/positions.ts'
import type { Admission } from './admission.ts'
import type { RunContext } from './context.ts'
import type { Narration } from './narration.ts'
import type { NestedWorkflows } from './nested.ts'
import { describeDeath, memoryError, toInternalError, WAITS_FOR_NOTHING } from './run-errors.ts'

/** Items a `parallel` or `pipeline` may take. */
const MAX_ITEMS = 4096

export interface SessionParts {
  admission: Admission
  nested: NestedWorkflows
  narration: Narration
  watchdog: Watchdog
  syncTimeoutMs: number
  memoryMiB: number
  /** The script came to an end, its own or not. */
  onEnd(end: { value: JsonValue } | { error: RunError }): void
  /** Everything the script was sent has had its consequences. */
  onIdle(): void
}

export class ScriptSession {
  readonly #context: RunContext
  readonly #sandbox: Sandbox
  readonly #parts: SessionParts
  #releaseClock: (() => void) | undefined
  /** Calls of the script that have no answer yet. */
  #outstanding = 0
  #closed = false

  constructor(context: RunContext, sandbox: Sandbox, parts: SessionParts) {
    this.#context = context
    this.#sandbox = sandbox
    this.#parts = parts
    sandbox.listen({
      onMessages: (messages) => this.#receive(messages),
      onDeath: (death) => parts.onEnd({ error: describeDeath(death, parts.memoryMiB) }),
    })
    parts.watchdog.onOverrun(sandbox, (overrun) => void this.#onOverrun(overrun))
  }

  /** Calls of the script that no agent was queued for yet. */
  get waitingCalls(): number {
    return this.#parts.admission.waiting
  }

  start(): void {
    const { options, settings } = this.#context
    const { script, args } = options
    this.#send({
      type: 'start',
      script: {
        group: 0,
        name: script.meta.name,
        fileName: script.source.fileName,
        code: script.code,
        positions: script.positions,
      },
      args: args === undefined ? {} : { value: args },
      budgetTotal: settings.budgetTokens,
      maxItems: MAX_ITEMS,
    })
  }

  /** Every hook of the script throws CANCELLED from now on. */
  cancel(reason: string): void {
    this.#send({ type: 'cancel', reason })
  }

  /** Ends the worker, whatever it is doing. */
  close(): void {
    this.#closed = true
    this.#sandbox.end()
    this.#releaseClock?.()
  }

  /** While the script has something to chew on, virtual time stands still. */
  #send(message: HostMessage): void {
    if (this.#closed) return
    this.#releaseClock ??= this.#context.clock.hold()
    this.#sandbox.spent = this.#context.budget.spent
    this.#sandbox.send(message)
  }

  #receive(messages: readonly WorkerMessage[]): void {
    try {
      for (const message of messages) this.#take(message)
    } catch (error) {
      this.#context.fail(toInternalError(error))
    }
    // What was taken may have been answered, or the run ended, there and then.
    if (this.#closed || this.#sandbox.busy) return
    this.#releaseClock?.()
    this.#releaseClock = undefined
    this.#parts.onIdle()
    // A script is driven by what it is sent, so nothing can wake it any more.
    if (this.#outstanding === 0) this.#parts.onEnd({ error: WAITS_FOR_NOTHING })
  }

  #take(message: WorkerMessage): void {
    const { narration, nested, onEnd } = this.#parts
    switch (message.type) {
      case 'agent':
        return this.#callAgent(message)
      case 'workflow':
        return this.#openNested(message)
      case 'workflow-done':
        return nested.close(message.group, message.error)
      case 'phase':
        return narration.announcePhase(message.title, message.group)
      case 'log':
        return narration.line(message)
      case 'warning':
        return narration.warn(message)
      case 'unhandled':
        return narration.noteUnhandled(message)
      case 'unhandled-late':
        return narration.forgetUnhandled(message)
      case 'completed':
        return onEnd({ value: message.value })
      case 'failed':
        return onEnd({ error: { file: this.#context.options.script.source.fileName, ...message.error } })
      case 'ready':
        return undefined
    }
  }

  #callAgent(message: WorkerMessageOf<'agent'>): void {
    const { call } = message
    this.#answer(this.#parts.admission.take(message), ({ answer, live }) =>
      'error' in answer
        ? { type: 'refusal', call, error: answer.error, live }
        : { type: 'answer', call, value: answer.value, live },
    )
  }

  #openNested(message: WorkerMessageOf<'workflow'>): void {
    const { call } = message
    this.#answer(this.#parts.nested.open(message), (opened) =>
      'script' in opened
        ? { type: 'nested', call, script: opened.script }
        : { type: 'refusal', call, error: opened.error, live: false },
    )
  }

  #answer<Reply>(reply: Promise<Reply>, toMessage: (reply: Reply) => HostMessage): void {
    this.#outstanding++
    reply.then(
      (value) => {
        this.#outstanding--
        this.#send(toMessage(value))
      },
      (error: unknown) => this.#context.fail(toInternalError(error)),
    )
  }

  async #onOverrun(overrun: Overrun): Promise<void> {
    const { memoryMiB, syncTimeoutMs, nested, onEnd } = this.#parts
    // What takes memory has to be stopped at once.
    if (overrun === 'memory') return onEnd({ error: memoryError(memoryMiB) })
    const place = await locateScript(this.#sandbox.worker)
    const script = nested.scriptOf(place?.group ?? 0)
    const written = place === undefined || script === undefined ? undefined : toWritten(script.positions, place)
    const file = script?.source.fileName ?? this.#context.options.script.source.fileName
    const at = written === undefined ? '' : ` at ${file}:${written.line}`
    const message = `the script used too much CPU: it did not yield for ${syncTimeoutMs / 1000} s${at}`
    onEnd({ error: { code: 'SCRIPT_STUCK', message, file, ...written } })
  }
}
