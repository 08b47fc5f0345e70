// One agent call from its place in the queue to its one end: permits, attempts, pauses, controls, the journal.

import { sumUsage } from '../../shared/index.ts'
import type { AgentOutcome, FailureKind, Usage } from '../../shared/index.ts'
import type { AgentRunResult } from '../ports.ts'
import type { AttemptEnd } from './attempt.ts'
import { describeLimit } from './breaker.ts'
import {
  completedEnd,
  failedEnd,
  partialOf,
  refusedEnd,
  writeCallEnd,
  type CallAnswer,
  type CallEnd,
} from './call-end.ts'
import { withClockHeld, type RunContext } from './context.ts'
import { LiveAttempt, nameOf, type CallSpec } from './live-attempt.ts'
import { decideNext } from './retry-policy.ts'

/** Why a call ends before its agent does. */
export type CallStop = 'skip' | 'stop' | 'cancel'

type Step = { kind: 'again' } | { kind: 'later'; delayMs: number } | { kind: 'paused' } | { kind: 'end'; end: CallEnd }

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
  #current: LiveAttempt | undefined
  #wake: AbortController | undefined
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
    this.#current?.sendBack('retried')
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
    if (this.#isRefused()) return this.#finish(refusedEnd(this.#context.budget.describe()))
    let first = false
    for (;;) {
      const release = await this.#context.permits.acquire(this.#stop.signal, first)
      if (release === undefined) return this.#finish({ outcome: this.#stoppedOutcome() })
      let step: Step
      try {
        step = this.#isRefused()
          ? { kind: 'end', end: refusedEnd(this.#context.budget.describe()) }
          : await this.#runAttempts()
      } finally {
        release()
      }
      if (step.kind === 'end') return this.#finish(step.end)
      // Whoever waits for a rate limit keeps nobody else from working.
      if (step.kind === 'later') await this.#sleep(step.delayMs)
      await this.#context.pause.waitUntilContinued(this.#stop.signal)
      // It has waited its turn already.
      first = true
    }
  }

  #isRefused(): boolean {
    return this.#attempt === 0 && this.#context.budget.exhausted
  }

  async #runAttempts(): Promise<Step> {
    for (;;) {
      if (this.#stopKind !== undefined) return { kind: 'end', end: { outcome: this.#stoppedOutcome() } }
      const attempt = new LiveAttempt(this.#context, this.spec, ++this.#attempt)
      const { result, usage } = await this.#runOne(attempt)
      if (usage !== undefined) this.#count(usage)
      const step = await this.#judge(result, attempt)
      if (step.kind !== 'again') return step
    }
  }

  async #runOne(attempt: LiveAttempt): Promise<AttemptEnd> {
    this.#startedAt ??= this.#context.clock.now()
    this.#current = attempt
    // Whoever hears of it may end the call there and then.
    this.#context.log.emit('agent-started', { agent: this.spec.agent, attempt: attempt.number })
    const end = await attempt.run()
    this.#current = undefined
    return end
  }

  async #judge(result: AgentRunResult, attempt: LiveAttempt): Promise<Step> {
    if (this.#stopKind !== undefined) {
      return { kind: 'end', end: { outcome: this.#stoppedOutcome(), ...partialOf(result) } }
    }
    if (attempt.restart === 'retried') return this.#again('retried', 'sent back by the user')
    if (attempt.restart === 'stalled') {
      const message = `no sign of life for ${this.#context.settings.stallSeconds} s`
      return this.#failed({ kind: 'dead', error: message, failure: 'stalled', ...partialOf(result) }, attempt)
    }
    if (result.kind === 'skipped') return { kind: 'end', end: { outcome: 'skipped' } }
    return result.kind === 'dead' ? this.#failed(result, attempt) : this.#accept(result, attempt)
  }

  async #accept(result: Extract<AgentRunResult, { kind: 'ok' }>, attempt: LiveAttempt): Promise<Step> {
    const { output, rejections } = result
    const text = typeof output === 'string' ? output : JSON.stringify(output)
    const { structured } = this.spec
    const verdict =
      structured === undefined
        ? { ok: true as const, value: text }
        : await withClockHeld(this.#context.clock, () => structured.check(output))
    if (this.#stopKind !== undefined) return { kind: 'end', end: { outcome: this.#stoppedOutcome() } }
    if (verdict.ok) {
      this.#context.breaker.succeeded()
      this.#context.throttle.succeeded(attempt.loweredBefore)
      return { kind: 'end', end: completedEnd(verdict.value, result) }
    }
    const error = `the answer does not match the schema: ${verdict.errors.join('; ')}`
    const more = rejections === undefined ? {} : { rejections }
    const partial = JSON.stringify(output)
    return this.#failed({ kind: 'dead', error, failure: 'schema', partial, ...more }, attempt)
  }

  async #failed(result: Extract<AgentRunResult, { kind: 'dead' }>, attempt: LiveAttempt): Promise<Step> {
    const { failure, error, retryAt } = result
    const { clock, options, breaker, pause, settings, throttle } = this.#context
    const failed: Step = { kind: 'end', end: failedEnd(result, nameOf(this.spec), this.spec.backend.id) }
    if (result.notStarted === true) return failed
    const same = this.#sameFailures.failure === failure ? this.#sameFailures.count : 0
    this.#sameFailures = { failure, count: same + 1 }
    const next = decideNext({
      failure,
      sameBefore: same,
      key: this.spec.key,
      attempt: attempt.number,
      agentRetries: settings.agentRetries,
      now: clock.now(),
      ...(retryAt !== undefined && { retryAt }),
    })
    if (next.kind === 'retry') {
      this.#again(failure, error, clock.now() + next.delayMs)
      if (failure === 'transient' && (retryAt !== undefined || result.rateLimited === true)) {
        throttle.limited(this.spec.backend.id, attempt.loweredBefore, retryAt)
        return { kind: 'later', delayMs: next.delayMs }
      }
      await this.#sleep(next.delayMs)
      return { kind: 'again' }
    }
    // A dry run has nobody who could continue it.
    const tripped = !options.dry && (next.kind === 'pause' || breaker.failed(failure, error))
    if (!tripped) return failed
    this.#again(failure, error, retryAt)
    this.#sameFailures = { failure: '', count: 0 }
    if (pause.continued !== attempt.continuedBefore) return { kind: 'again' }
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
    // Whoever heard of the failure may have ended the call there and then.
    if (this.#stopKind !== undefined) return
    this.#wake = new AbortController()
    await this.#context.clock.sleep(ms, this.#wake.signal)
    this.#wake = undefined
  }

  #finish(end: CallEnd): Promise<CallAnswer> {
    const { agent, path, key, queuedSeq } = this.spec
    const durationMs = this.#context.clock.now() - (this.#startedAt ?? this.#queuedAt)
    const facts = { agent, path, key, queuedSeq, attempts: this.#attempt, durationMs, usage: this.#usage }
    return writeCallEnd(this.#context, facts, end, () => this.#onEnded(this, end.outcome))
  }

  #stoppedOutcome(): 'skipped' | 'cancelled' {
    return this.#stopKind === 'skip' ? 'skipped' : 'cancelled'
  }

  #count(usage: Usage): void {
    const before = this.#usage
    const { costUsd, ...tokens } = before === undefined ? usage : sumUsage(before, usage)
    // An attempt whose cost is not known makes the call's unknown.
    const isKnown = usage.costUsd !== undefined && (before === undefined || before.costUsd !== undefined)
    this.#usage = isKnown && costUsd !== undefined ? { ...tokens, costUsd } : tokens
    this.#context.budget.add(usage.outputTokens)
  }
}
