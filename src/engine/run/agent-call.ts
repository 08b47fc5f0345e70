// One agent call from its place in the queue to its one end: permits, attempts, pauses, controls, the journal.

import {
  sumUsage,
  toPreview,
  type AgentNumber,
  type AgentOutcome,
  type CallKey,
  type CallPath,
  type FailureKind,
  type JsonValue,
  type Usage,
} from '../../shared/index.ts'
import type { AgentBackend, AgentRequest, AgentRunResult } from '../ports.ts'
import type { ScriptFacingError } from '../sandbox/protocol.ts'
import { runAttempt, type AttemptEnd } from './attempt.ts'
import { describeLimit } from './breaker.ts'
import { withClockHeld, type RunContext } from './context.ts'
import { askPermission, closePermissions, hasOpenQuestion } from './permissions.ts'
import { decideNext } from './retry-policy.ts'
import type { StructuredCall } from './structured-call.ts'

/** Why a call ends before its agent does. */
export type CallStop = 'skip' | 'stop' | 'cancel'

export interface CallSpec {
  agent: AgentNumber
  path: CallPath
  key: CallKey
  prompt: string
  label: string
  phase: string | null
  backend: AgentBackend
  request: Pick<AgentRequest, 'model' | 'effort' | 'agentType' | 'allowedTools' | 'isolation'>
  structured: StructuredCall | undefined
  queuedSeq: number
}

/** What the script gets. */
export type CallAnswer = { value: JsonValue } | { error: ScriptFacingError }

interface Failure {
  message: string
  failure: FailureKind
  code?: string
}

interface End {
  outcome: Exclude<AgentOutcome, 'replayed'>
  value?: JsonValue
  error?: Failure
  /** What it had written, where it did not get to a value. */
  partial?: string
  rejections?: number
  branch?: string
}

type Step = { kind: 'again' } | { kind: 'paused' } | { kind: 'end'; end: End; thrown?: ScriptFacingError }

/** The share of the cancel grace that an agent gets to stop; the rest is for settling the run. */
const AGENT_GRACE_SHARE = 0.8

export class AgentCall {
  readonly spec: CallSpec
  /** Resolves, whatever happens, once the call has ended. */
  readonly ended: Promise<void>
  #markEnded: () => void = () => undefined
  readonly #onEnded: (call: AgentCall, outcome: AgentOutcome) => void
  readonly #context: RunContext
  readonly #stop = new AbortController()
  readonly #queuedAt: number
  #stopKind: CallStop | undefined
  #attempt = 0
  #current: AbortController | undefined
  /** Set while an attempt is aborted for another one to follow. */
  #restart: 'retried' | 'stalled' | undefined
  #wake: AbortController | undefined
  /** How often the run had been continued when the attempt began. */
  #continuedBefore = 0
  #sameFailures = { failure: '', count: 0 }
  #usage: Usage | undefined
  #startedAt: number | undefined

  /** `onEnded` is called once, as the end is written. */
  constructor(context: RunContext, spec: CallSpec, onEnded: (call: AgentCall, outcome: AgentOutcome) => void) {
    this.#context = context
    this.spec = spec
    this.#onEnded = onEnded
    this.#queuedAt = context.clock.now()
    this.ended = new Promise((resolve) => {
      this.#markEnded = resolve
    })
  }

  /** Ends the call early; the first word counts. */
  stop(kind: CallStop): void {
    if (this.#stopKind !== undefined) return
    this.#stopKind = kind
    this.#stop.abort(kind)
    this.#wake?.abort(kind)
    this.#current?.abort(kind)
  }

  /** Aborts the running attempt and starts another; one that waits for its next attempt waits no longer. */
  retry(): void {
    this.#wake?.abort('retry')
    if (this.#current === undefined) return
    this.#restart ??= 'retried'
    this.#current.abort('retry')
  }

  /** Resolves once the call has ended and its end is committed. Rejects only when it can't be written down. */
  async run(): Promise<CallAnswer> {
    try {
      return await this.#live()
    } finally {
      this.#markEnded()
    }
  }

  async #live(): Promise<CallAnswer> {
    // The budget is looked at when a call is made and again when it gets its permit.
    if (this.#context.budget.exhausted) return this.#finishBy(this.#refusal())
    let first = false
    for (;;) {
      const release = await this.#context.permits.acquire(this.#stop.signal, first)
      if (release === undefined) return this.#finish({ outcome: this.#stoppedOutcome() })
      let step: Step
      try {
        step = this.#attempt === 0 && this.#context.budget.exhausted ? this.#refusal() : await this.#runAttempts()
      } finally {
        release()
      }
      if (step.kind === 'end') return this.#finishBy(step)
      await this.#context.pause.waitUntilContinued(this.#stop.signal)
      // It has waited its turn already.
      first = true
    }
  }

  async #runAttempts(): Promise<Step> {
    for (;;) {
      if (this.#stopKind !== undefined) return { kind: 'end', end: { outcome: this.#stoppedOutcome() } }
      const { result, usage } = await this.#runOne()
      if (usage !== undefined) this.#count(usage)
      const step = await this.#judge(result)
      if (step.kind !== 'again') return step
    }
  }

  async #runOne(): Promise<AttemptEnd> {
    const { clock, log, settings, stalls, options } = this.#context
    const { agent, backend } = this.spec
    this.#attempt++
    this.#startedAt ??= clock.now()
    const current = new AbortController()
    this.#current = current
    this.#restart = undefined
    this.#continuedBefore = this.#context.pause.continued
    // Whoever hears of it may end the call there and then.
    log.emit('agent-started', { agent, attempt: this.#attempt })
    const isAsking = (): boolean => hasOpenQuestion(this.#context, agent)
    const ticket = stalls.watch(isAsking, () => {
      this.#warn('agent/stalled', `${this.#name()} said nothing for ${settings.stallSeconds} s`)
      this.#restart ??= 'stalled'
      current.abort('stalled')
    })
    const grace = settings.cancelGraceMs * AGENT_GRACE_SHARE
    const end = await runAttempt(backend, this.#makeRequest(current.signal), options.host, current.signal, grace, {
      onProgress: (progress) => {
        ticket.touch()
        log.emit('agent-progress', { agent, progress })
      },
      onAbandoned: () =>
        this.#warn('agent/not-stopped', `${this.#name()} did not stop within ${grace / 1000} s of being told to`),
    })
    ticket.end()
    this.#current = undefined
    closePermissions(this.#context, agent)
    return end
  }

  #makeRequest(signal: AbortSignal): AgentRequest {
    const { runId, lineage, options } = this.#context
    const { agent, path, key, prompt, label, phase, request, structured } = this.spec
    return {
      ...request,
      runId,
      lineage,
      agent,
      path,
      key,
      attempt: this.#attempt,
      prompt,
      label,
      phase,
      cwd: options.workspace,
      askPermission: (question) => askPermission(this.#context, agent, question, signal),
      ...(structured !== undefined && { structured: structured.request }),
    }
  }

  async #judge(result: AgentRunResult): Promise<Step> {
    if (this.#stopKind !== undefined) {
      const partial = partialOf(result)
      return { kind: 'end', end: { outcome: this.#stoppedOutcome(), ...(partial !== undefined && { partial }) } }
    }
    if (this.#restart === 'retried') return this.#again('retried', 'sent back by the user')
    if (this.#restart === 'stalled') {
      const message = `no sign of life for ${this.#context.settings.stallSeconds} s`
      return this.#failed({ kind: 'dead', error: message, failure: 'stalled', ...partialField(result) })
    }
    if (result.kind === 'skipped') return { kind: 'end', end: { outcome: 'skipped' } }
    return result.kind === 'dead' ? this.#failed(result) : this.#accept(result)
  }

  async #accept(result: Extract<AgentRunResult, { kind: 'ok' }>): Promise<Step> {
    const { structured } = this.spec
    if (structured === undefined) {
      this.#context.breaker.succeeded()
      const text = typeof result.output === 'string' ? result.output : JSON.stringify(result.output)
      return { kind: 'end', end: { outcome: 'completed', value: text, ...extras(result) } }
    }
    const verdict = await withClockHeld(this.#context.clock, () => structured.check(result.output))
    if (this.#stopKind !== undefined) return { kind: 'end', end: { outcome: this.#stoppedOutcome() } }
    if (verdict.ok) {
      this.#context.breaker.succeeded()
      return { kind: 'end', end: { outcome: 'completed', value: verdict.value, ...extras(result) } }
    }
    const error = `the answer does not match the schema: ${verdict.errors.join('; ')}`
    const { rejections } = result
    const partial = JSON.stringify(result.output)
    return this.#failed({
      kind: 'dead',
      error,
      failure: 'schema',
      partial,
      ...(rejections !== undefined && { rejections }),
    })
  }

  async #failed(result: Extract<AgentRunResult, { kind: 'dead' }>): Promise<Step> {
    const { failure, error, retryAt } = result
    const { clock, options, breaker, pause, settings } = this.#context
    if (result.notStarted === true) return this.#endFailed(result, 'AGENT_START')
    const same = this.#sameFailures.failure === failure ? this.#sameFailures.count : 0
    this.#sameFailures = { failure, count: same + 1 }
    const next = decideNext({
      failure,
      sameBefore: same,
      key: this.spec.key,
      attempt: this.#attempt,
      agentRetries: settings.agentRetries,
      now: clock.now(),
      ...(retryAt !== undefined && { retryAt }),
    })
    if (next.kind === 'retry') {
      this.#again(failure, error, clock.now() + next.delayMs)
      await this.#sleep(next.delayMs)
      return { kind: 'again' }
    }
    // A dry run has nobody who could continue it.
    const tripped = !options.dry && (next.kind === 'pause' || breaker.failed(failure, error))
    if (!tripped) return this.#endFailed(result, failure === 'schema' ? 'STRUCTURED_OUTPUT' : undefined)
    this.#again(failure, error, retryAt)
    this.#sameFailures = { failure: '', count: 0 }
    if (pause.continued !== this.#continuedBefore) return { kind: 'again' }
    pause.pause('limit', describeLimit(failure, this.spec.backend.id, error), retryAt)
    return { kind: 'paused' }
  }

  #again(failure: FailureKind | 'retried', error: string, retryAt?: number): Step {
    const { agent } = this.spec
    const attempt = this.#attempt
    this.#context.log.emit('agent-attempt-failed', {
      agent,
      attempt,
      failure,
      error,
      ...(retryAt !== undefined && { retryAt }),
    })
    return { kind: 'again' }
  }

  async #sleep(ms: number): Promise<void> {
    this.#wake = new AbortController()
    await this.#context.clock.sleep(ms, this.#wake.signal)
    this.#wake = undefined
  }

  #endFailed(result: Extract<AgentRunResult, { kind: 'dead' }>, code?: 'AGENT_START' | 'STRUCTURED_OUTPUT'): Step {
    const { error: message, failure, partial, rejections } = result
    const end: End = {
      outcome: 'failed',
      error: { message, failure, ...(code !== undefined && { code }) },
      ...(partial !== undefined && { partial }),
      ...(rejections !== undefined && { rejections }),
    }
    if (code === undefined) return { kind: 'end', end }
    const words =
      code === 'AGENT_START'
        ? `back end ${this.spec.backend.id} could not start an agent: ${message}`
        : `${this.#name()} gave no answer that matches the schema: ${message}`
    return { kind: 'end', end, thrown: { code, message: words, fatal: code === 'AGENT_START' } }
  }

  #finishBy({ end, thrown }: Extract<Step, { kind: 'end' }>): Promise<CallAnswer> {
    return this.#finish(end, thrown)
  }

  #refusal(): Extract<Step, { kind: 'end' }> {
    const message = this.#context.budget.describe()
    return {
      kind: 'end',
      end: { outcome: 'failed', error: { message, failure: 'budget', code: 'BUDGET_EXCEEDED' } },
      thrown: { code: 'BUDGET_EXCEEDED', message, fatal: false },
    }
  }

  async #finish(end: End, thrown?: ScriptFacingError): Promise<CallAnswer> {
    const { clock, log, ports, runId } = this.#context
    const { agent, path, key, queuedSeq } = this.spec
    const { outcome, value = null, error, partial, rejections, branch } = end
    const usage = this.#usage
    const durationMs = clock.now() - (this.#startedAt ?? this.#queuedAt)
    const result = outcome === 'completed' ? value : (partial ?? null)
    const optional = { ...(rejections !== undefined && { rejections }), ...(branch !== undefined && { branch }) }
    await withClockHeld(clock, async () => {
      const row = { agent, path, key, outcome, result, usage: usage ?? null, durationMs, startedSeq: queuedSeq }
      const stored = ports.journal.closeCall(runId, { ...row, origin: runId, ...optional })
      log.emit('agent-ended', {
        agent,
        outcome,
        durationMs,
        attempts: this.#attempt,
        ...(result !== null && { resultPreview: previewOf(result) }),
        ...(usage !== undefined && { usage }),
        ...(error !== undefined && { error }),
        ...optional,
      })
      this.#onEnded(this, outcome)
      await stored
    })
    return thrown === undefined ? { value: outcome === 'completed' ? value : null } : { error: thrown }
  }

  #stoppedOutcome(): 'skipped' | 'cancelled' {
    return this.#stopKind === 'skip' ? 'skipped' : 'cancelled'
  }

  #count(usage: Usage): void {
    this.#usage = this.#usage === undefined ? usage : sumUsage(this.#usage, usage)
    this.#context.budget.add(usage.outputTokens)
  }

  #name(): string {
    return `agent ${this.spec.agent} (${toPreview(this.spec.label, 60)})`
  }

  #warn(code: string, message: string): void {
    this.#context.log.emit('warning', { code, message, agent: this.spec.agent, path: this.spec.path })
  }
}

export function previewOf(value: JsonValue): string {
  return toPreview(typeof value === 'string' ? value : JSON.stringify(value))
}

function extras({ rejections, branch }: Extract<AgentRunResult, { kind: 'ok' }>): Pick<End, 'rejections' | 'branch'> {
  return { ...(rejections !== undefined && { rejections }), ...(branch !== undefined && { branch }) }
}

function partialOf(result: AgentRunResult): string | undefined {
  if (result.kind === 'skipped') return undefined
  if (result.kind === 'dead') return result.partial
  return typeof result.output === 'string' ? result.output : JSON.stringify(result.output)
}

function partialField(result: AgentRunResult): { partial?: string } {
  const partial = partialOf(result)
  return partial === undefined ? {} : { partial }
}
