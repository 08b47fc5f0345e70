// One attempt of a call while it runs: what its back end is asked, how it shows signs of life, and why it was cut short.

import { toPreview } from '../../shared/index.ts'
import type { AgentNumber, CallKey, CallPath } from '../../shared/index.ts'
import type { AgentBackend, AgentRequest } from '../ports.ts'
import { runAttempt, type AttemptEnd } from './attempt.ts'
import type { RunContext } from './context.ts'
import { askPermission, closePermissions, hasOpenQuestion } from './permissions.ts'
import type { StructuredCall } from './structured-call.ts'

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

/** The share of the cancel grace that an agent gets to stop; the rest is for settling the run. */
const AGENT_GRACE_SHARE = 0.8

export class LiveAttempt {
  /** From 1. */
  readonly number: number
  /** How often the run had been continued when the attempt began. */
  readonly continuedBefore: number
  /** The same for the run's limit being lowered. */
  readonly loweredBefore: number
  readonly #context: RunContext
  readonly #spec: CallSpec
  readonly #current = new AbortController()
  #restart: 'retried' | 'stalled' | undefined
  #over = false

  constructor(context: RunContext, spec: CallSpec, number: number) {
    this.#context = context
    this.#spec = spec
    this.number = number
    this.continuedBefore = context.pause.continued
    this.loweredBefore = context.throttle.lowered
  }

  /** Set while it is aborted for another one to follow; the first reason counts. */
  get restart(): 'retried' | 'stalled' | undefined {
    return this.#restart
  }

  abort(reason: string): void {
    this.#current.abort(reason)
  }

  /** Aborts it so that another one follows, unless it has ended. */
  sendBack(why: 'retried' | 'stalled'): void {
    if (this.#over) return
    this.#restart ??= why
    this.#current.abort(why)
  }

  /** To be called once. Never rejects. */
  async run(): Promise<AttemptEnd> {
    const { log, settings, stalls, options } = this.#context
    const { agent, backend } = this.#spec
    const { signal } = this.#current
    const isAsking = (): boolean => hasOpenQuestion(this.#context, agent)
    const ticket = stalls.watch(isAsking, () => {
      this.#warn('agent/stalled', `${nameOf(this.#spec)} said nothing for ${settings.stallSeconds} s`)
      this.sendBack('stalled')
    })
    const grace = settings.cancelGraceMs * AGENT_GRACE_SHARE
    const end = await runAttempt(backend, this.#makeRequest(signal), options.host, signal, grace, {
      onProgress: (progress) => {
        ticket.touch()
        log.emit('agent-progress', { agent, progress })
      },
      onAbandoned: () =>
        this.#warn('agent/not-stopped', `${nameOf(this.#spec)} did not stop within ${grace / 1000} s of being told to`),
    })
    ticket.end()
    this.#over = true
    closePermissions(this.#context, agent)
    return end
  }

  #makeRequest(signal: AbortSignal): AgentRequest {
    const { runId, lineage, options } = this.#context
    const { agent, path, key, prompt, label, phase, request, structured } = this.#spec
    return {
      ...request,
      runId,
      lineage,
      agent,
      path,
      key,
      attempt: this.number,
      prompt,
      label,
      phase,
      cwd: options.workspace,
      askPermission: (question) => askPermission(this.#context, agent, question, signal),
      warn: (code, message) => this.#warn(code, `${nameOf(this.#spec)}: ${message}`),
      ...(structured !== undefined && { structured: structured.request }),
    }
  }

  #warn(code: string, message: string): void {
    const { agent, path } = this.#spec
    this.#context.log.emit('warning', { code, message, agent, path })
  }
}

/** Of a call, in messages. */
export function nameOf({ agent, label }: CallSpec): string {
  return `agent ${agent} (${toPreview(label, 60)})`
}
