// One run from the command line's side: started, followed, cancelled by Ctrl-C, reported, turned into an exit code.

import {
  toRunEnvelope,
  type JsonValue,
  type RunEvent,
  type RunId,
  type RunState,
  EMPTY_RUN,
} from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, exitCodeOf, type ExitCode } from '../exit-codes.ts'
import type { HostAccess } from '../host/host-access.ts'
import { writeJson } from '../output/json.ts'
import type { Output } from '../output/output.ts'
import type { Style } from '../render/style.ts'
import type { Signal } from '../signals.ts'
import type { EventWriter } from './event-writer.ts'
import { followRun } from './follow-run.ts'
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
  #runId: RunId | undefined
  #state: RunState = EMPTY_RUN
  #firstSignal: Signal | undefined

  constructor(context: CliContext, access: HostAccess, report: RunReport, events: EventWriter | undefined) {
    this.#context = context
    this.#access = access
    this.#report = report
    this.#events = events
    this.#told = this.#forMachine
      ? { output: context.err, style: context.errStyle }
      : { output: context.out, style: context.outStyle }
    this.#display = createRunDisplay(this.#told.output, this.#told.style, context.now)
  }

  /** `start` resolves to the run's id; it is not called again. */
  async run(start: () => Promise<RunId>): Promise<ExitCode> {
    this.#context.signals.handle((signal) => this.#onSignal(signal))
    try {
      this.#runId = await start()
      if (this.#firstSignal) this.#cancel()
      const state = await followRun(this.#access.client, this.#runId, {
        onEvents: (events, next) => this.#onEvents(events, next),
        until: (next) => this.#report.exitOnPause === true && next.status === 'paused',
        lost: this.#access.lost,
      })
      const code = await this.#conclude(state)
      if (state.status === 'paused' && this.#access.owner) await this.#leave(code)
      return code
    } finally {
      this.#display.end(false)
      this.#context.signals.handle(undefined)
    }
  }

  #onEvents(events: readonly RunEvent[], state: RunState): void {
    this.#state = state
    this.#events?.write(events)
    this.#display.update(events, state)
  }

  async #conclude(state: RunState): Promise<ExitCode> {
    const result = state.status === 'completed' ? await this.#readResult() : null
    const envelope = toRunEnvelope(state, result)
    this.#display.end(true)
    if (this.#report.json === true && this.#report.events !== '-') writeJson(this.#context.out, envelope)
    const shown = this.#forMachine ? undefined : result
    await reportRun({ ...this.#told, now: this.#context.now() }, this.#access.client, state, shown)
    return exitCodeOf(envelope, this.#flags())
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
      void this.#leave(signal === 'SIGINT' || this.#firstSignal === 'SIGINT' ? EXIT.interrupted : EXIT.cancelled, true)
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

  /** Ends the process without closing the host, which leaves the run to be resumed. */
  async #leave(code: ExitCode, tell = false): Promise<never> {
    const { out, err } = this.#context
    this.#display.end(false)
    if (tell) {
      if (this.#report.json === true && this.#report.events !== '-')
        writeJson(out, { ...toRunEnvelope(this.#state), outcome: 'interrupted' })
      if (this.#runId !== undefined) err.line(`left run ${this.#runId} where it was`)
    }
    const patience = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS).unref())
    await Promise.race([Promise.allSettled([out.flush(), err.flush()]), patience])
    return this.#context.exitNow(code)
  }
}
