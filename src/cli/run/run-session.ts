// One run from the command line's side: started, followed, cancelled by Ctrl-C, reported, turned into an exit code.

import {
  toRunEnvelope,
  type JsonValue,
  type RunEnvelope,
  type RunEvent,
  type RunId,
  type RunState,
  EMPTY_RUN,
} from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { toCliError, type CliError } from '../errors.ts'
import { EXIT, exitCodeOf, type ExitCode } from '../exit-codes.ts'
import type { HostAccess } from '../host/host-access.ts'
import { whenDeserted } from '../host/when-idle.ts'
import { writeJson } from '../output/json.ts'
import type { Output } from '../output/output.ts'
import type { Style } from '../render/style.ts'
import { escapeBlock } from '../render/text.ts'
import type { Signal } from '../signals.ts'
import type { EventWriter } from './event-writer.ts'
import { followRun } from './follow-run.ts'
import { PermissionPrompt } from './permission-prompt.ts'
import { reportRun } from './report-run.ts'
import { createRunDisplay, type RunDisplay } from './run-display.ts'

export interface RunReport {
  /** `--json`: the envelope on stdout. */
  json?: boolean
  /** `--events`: with `-`, stdout carries events and nothing else. */
  events?: string
  allowFailures?: boolean
  exitOnPause?: boolean
}

const FLUSH_MS = 1000

export class RunSession {
  readonly #context: CliContext
  readonly #access: HostAccess
  readonly #report: RunReport
  readonly #events: EventWriter | undefined
  readonly #display: RunDisplay
  /** Where people are told: stdout, or stderr when stdout belongs to a machine. */
  readonly #told: { output: Output; style: Style }
  /** Where a person sits at the terminal. */
  readonly #prompt: PermissionPrompt | undefined
  #runId: RunId | undefined
  #state: RunState = EMPTY_RUN
  #firstSignal: Signal | undefined
  #written = false

  constructor(context: CliContext, access: HostAccess, report: RunReport, events: EventWriter | undefined) {
    this.#context = context
    this.#access = access
    this.#report = report
    this.#events = events
    this.#told = this.#forMachine
      ? { output: context.err, style: context.errStyle }
      : { output: context.out, style: context.outStyle }
    this.#display = createRunDisplay(this.#told.output, this.#told.style, context.now)
    const { keyboard } = context
    if (keyboard !== undefined && this.#told.output.isTty && !this.#forMachine)
      this.#prompt = new PermissionPrompt({ client: access.client, keyboard, note: (text) => this.#display.note(text) })
  }

  /** Whether what agents ask leave for is answered here. */
  get answers(): boolean {
    return this.#prompt !== undefined
  }

  /** `start` resolves to the run's id; it is not called again. */
  async run(start: () => Promise<RunId>): Promise<ExitCode> {
    this.#context.signals.handle((signal) => this.#onSignal(signal))
    try {
      this.#runId = await start()
      if (this.#firstSignal) this.#cancel()
      const state = await this.#follow(this.#runId)
      const code = await this.#conclude(state)
      if (state.status === 'paused' && this.#access.owner) await this.#leavePaused(code)
      return code
    } catch (error) {
      if (this.#runId === undefined) throw error
      return this.#concludeLost(toCliError(error))
    } finally {
      this.#prompt?.end()
      this.#display.end(false)
      this.#context.signals.handle(undefined)
    }
  }

  #follow(runId: RunId): Promise<RunState> {
    return followRun(this.#access.client, runId, {
      onEvents: (events, next) => this.#onEvents(events, next),
      until: (next) => this.#report.exitOnPause === true && next.status === 'paused',
      answers: this.answers,
      lost: this.#access.lost,
    })
  }

  #onEvents(events: readonly RunEvent[], state: RunState): void {
    this.#state = state
    this.#events?.write(events)
    this.#display.update(events, state)
    if (state.info !== undefined) this.#prompt?.update(state.info.runId, state)
  }

  async #conclude(state: RunState): Promise<ExitCode> {
    const result = state.status === 'completed' ? await this.#readResult() : null
    const envelope = toRunEnvelope(state, result)
    this.#display.end(true)
    this.#writeDocument(envelope)
    const shown = this.#forMachine ? undefined : result
    await reportRun({ ...this.#told, now: this.#context.now() }, this.#access.client, state, shown)
    return exitCodeOf(envelope, this.#flags())
  }

  /** The run may go on or not: what is known of it is told. */
  #concludeLost(error: CliError): ExitCode {
    this.#display.end(true)
    const { message } = error
    this.#writeDocument({ ...toRunEnvelope(this.#state), outcome: 'error', error: { code: 'INTERNAL', message } })
    this.#context.err.line(`${this.#context.errStyle.colors.red('weft:')} ${escapeBlock(message)}`)
    return error.exitCode
  }

  /** `--json` promises one document, whatever happens after it was written. */
  #writeDocument(envelope: RunEnvelope): void {
    if (this.#written || this.#report.json !== true || this.#report.events === '-') return
    this.#written = true
    writeJson(this.#context.out, envelope)
  }

  async #readResult(): Promise<JsonValue> {
    if (this.#runId === undefined) return null
    const { json } = await this.#access.client.call('run.result', { runId: this.#runId })
    // The host has stored what it had checked to be JSON.
    return json === null ? null : (JSON.parse(json) as JsonValue)
  }

  get #forMachine(): boolean {
    return this.#report.json === true || this.#report.events === '-'
  }

  #flags(): { allowFailures: boolean; interrupted: boolean } {
    return { allowFailures: this.#report.allowFailures === true, interrupted: this.#firstSignal === 'SIGINT' }
  }

  #onSignal(signal: Signal): void {
    if (this.#firstSignal) {
      void this.#abandon(signal === 'SIGINT' || this.#firstSignal === 'SIGINT' ? EXIT.interrupted : EXIT.cancelled)
      return
    }
    this.#firstSignal = signal
    this.#display.note('cancelling; Ctrl-C again leaves at once, the run can then be resumed')
    if (this.#runId !== undefined) this.#cancel()
  }

  #cancel(): void {
    if (this.#runId === undefined) return
    const reason = this.#firstSignal === 'SIGINT' ? 'Ctrl-C' : `the command line got ${this.#firstSignal}`
    // A run that has just ended can't be cancelled any more, and need not be.
    this.#access.client.call('run.cancel', { runId: this.#runId, reason }).catch(() => {})
  }

  /** As `#leave`, but not before runs that others started in this host are over. */
  async #leavePaused(code: ExitCode): Promise<never> {
    await whenDeserted(this.#access.client, 0, 1)
    return this.#leave(code)
  }

  /** Leaves the run where it is. */
  async #abandon(code: ExitCode): Promise<never> {
    this.#display.end(false)
    this.#writeDocument({ ...toRunEnvelope(this.#state), outcome: 'interrupted' })
    if (this.#runId !== undefined) this.#context.err.line(`left run ${this.#runId} where it was`)
    return this.#leave(code)
  }

  /** Ends the process without closing the host, so that its runs can be resumed. */
  async #leave(code: ExitCode): Promise<never> {
    this.#prompt?.end()
    const { out, err } = this.#context
    const patience = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS).unref())
    await Promise.race([Promise.allSettled([out.flush(), err.flush()]), patience])
    return this.#context.exitNow(code)
  }
}
