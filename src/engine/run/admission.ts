// From `agent()` in a script to a call in the queue: caps, replay, back end, schema, budget, in that order and one call after
// the other, so that the queue has the order in which the script called.

import {
  asAgentNumber,
  asCallPath,
  toPreview,
  type AgentNumber,
  type AgentOutcome,
  type CallKey,
  type CallPath,
  type JsonObject,
  type JsonValue,
  type SourcePosition,
  type WorkflowPhase,
} from '../../shared/index.ts'
import type { AgentBackend, JournalRow } from '../ports.ts'
import type { ScriptFacingError, WorkerMessageOf } from '../sandbox/protocol.ts'
import { AgentCall } from './agent-call.ts'
import { previewOf, type CallAnswer } from './call-end.ts'
import { makeCallKey } from './call-key.ts'
import { withClockHeld, type RunContext } from './context.ts'
import type { ReplayRows } from './replay.ts'
import { isRefusal, type BackendWishes, type RunBackends } from './run-backends.ts'
import { isSchema, type RunSchemas, type StructuredCall } from './structured-call.ts'

const LABEL_UNITS = 200
const PROMPT_LABEL_UNITS = 60

/** `live` says whether the answer makes the scope diverge. */
export interface Reply {
  answer: CallAnswer
  live: boolean
}

export interface AdmissionParts {
  backends: RunBackends
  schemas: RunSchemas
  replay: ReplayRows
  /** Phases that the meta of this group's script announces. */
  phasesOf(group: number): readonly WorkflowPhase[]
  announcePhase(title: string, group: number): void
  /** True once the run is ending: nothing is admitted any more. */
  isClosed(): boolean
  onAdmitted(call: AgentCall): void
  onEnded(call: AgentCall, outcome: AgentOutcome): void
}

interface Wanted {
  path: CallPath
  key: CallKey
  prompt: string
  options: JsonObject
  phase: string | null
  provider: string | undefined
  wishes: BackendWishes
  group: number
  site: SourcePosition | undefined
  /** Its scope had diverged when it was made. */
  diverged: boolean
}

export class Admission {
  readonly #context: RunContext
  readonly #parts: AdmissionParts
  #calls = 0
  #waiting = 0
  #queue: Promise<unknown> = Promise.resolve()
  readonly #unmetered = new Set<string>()

  constructor(context: RunContext, parts: AdmissionParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Calls that have neither been admitted nor refused yet. */
  get waiting(): number {
    return this.#waiting
  }

  /** Resolves with what the script is to get. Rejects only when the journal or the event sink fails. */
  async take(message: WorkerMessageOf<'agent'>): Promise<Reply> {
    this.#waiting++
    const admitted = this.#queue.then(() => withClockHeld(this.#context.clock, () => this.#admit(message)))
    const done = (): void => void this.#waiting--
    this.#queue = admitted.then(done, done)
    return (await admitted)()
  }

  /** Returns the rest of the call's life, which the next call does not wait for. */
  async #admit(message: WorkerMessageOf<'agent'>): Promise<() => Promise<Reply>> {
    if (this.#parts.isClosed()) return refused(CLOSED, false)
    const wanted = this.#read(message)
    const { maxAgents } = this.#context.settings
    if (this.#calls >= maxAgents) return refused(agentCap(maxAgents), true)
    const row = message.diverged ? undefined : this.#parts.replay.take(wanted.path, wanted.key)
    if (row !== undefined) return this.#replay(wanted, row)
    const backend = this.#parts.backends.resolve(wanted.provider)
    if (isRefusal(backend)) return refused(backend, false)
    const refusal = this.#parts.backends.refuse(backend, wanted.wishes)
    if (refusal !== undefined) return refused(refusal, false)
    const { schema } = wanted.options
    const structured = isSchema(schema) ? await this.#parts.schemas.prepare(schema) : undefined
    if (structured !== undefined && isRefusal(structured)) return refused(structured, false)
    const unavailable = await this.#parts.backends.checkAvailable(backend)
    if (unavailable !== undefined) return refused(unavailable, false)
    if (this.#parts.isClosed()) return refused(CLOSED, false)
    return this.#enqueue(wanted, backend, structured)
  }

  #enqueue(wanted: Wanted, backend: AgentBackend, structured: StructuredCall | undefined): () => Promise<Reply> {
    this.#noteUnmetered(backend)
    const queued = this.#announce(wanted, backend.id, undefined)
    const { path, key, prompt, phase, wishes } = wanted
    const spec = { ...queued, path, key, prompt, phase, backend, structured, request: wishes }
    const call = new AgentCall(this.#context, spec, this.#parts.onEnded)
    this.#parts.onAdmitted(call)
    const answered = call.run()
    return async () => ({ answer: await answered, live: true })
  }

  #replay(wanted: Wanted, row: JournalRow): () => Promise<Reply> {
    const { ports, runId, budget, log } = this.#context
    const backend = this.#parts.backends.resolve(wanted.provider)
    const { agent, queuedSeq } = this.#announce(wanted, isRefusal(backend) ? (wanted.provider ?? '') : backend.id, row)
    if (row.usage !== null) budget.add(row.usage.outputTokens)
    const { usage, rejections, branch, result } = row
    const optional = { ...(rejections !== undefined && { rejections }), ...(branch !== undefined && { branch }) }
    const stored = ports.journal.closeCall(runId, {
      ...row,
      agent,
      path: wanted.path,
      key: wanted.key,
      outcome: 'replayed',
      startedSeq: queuedSeq,
    })
    // Should the event be refused too, nobody waits for the row any more.
    stored.catch(() => undefined)
    log.emit('agent-ended', {
      agent,
      outcome: 'replayed',
      durationMs: 0,
      attempts: 0,
      ...(result !== null && { resultPreview: previewOf(result) }),
      ...(usage !== null && { usage }),
      ...optional,
    })
    return async () => {
      await withClockHeld(this.#context.clock, () => stored)
      return { answer: { value: result }, live: false }
    }
  }

  /** Gives the call its number and its place in the event stream and in the journal. */
  #announce(
    wanted: Wanted,
    backend: string,
    row: JournalRow | undefined,
  ): { agent: AgentNumber; label: string; queuedSeq: number } {
    const { log, ports, runId, options: run } = this.#context
    const { path, key, prompt, options, phase, group, site, wishes, diverged } = wanted
    const agent = asAgentNumber(++this.#calls)
    const label = labelOf(options.label, prompt)
    if (phase !== null) this.#parts.announcePhase(phase, group)
    const queuedSeq = log.emit('agent-queued', {
      agent,
      path,
      key,
      label,
      phase,
      group,
      backend,
      promptPreview: toPreview(prompt),
      promptLength: prompt.length,
      ...(wishes.model !== undefined && { model: wishes.model }),
      ...(site !== undefined && { site }),
    })
    ports.journal.openCall(runId, { agent, path, key, prompt, options, startedSeq: queuedSeq })
    run.onCall?.(agent, { row, diverged })
    return { agent, label, queuedSeq }
  }

  /** Options with the defaults of the phase and of the run. */
  #read({ path, prompt, options, phase: current, group, site, diverged }: WorkerMessageOf<'agent'>): Wanted {
    const ownPhase = textOf(options.phase)
    // As `phase()` takes titles, so that both name the same one.
    const phase = ownPhase === undefined ? current : toPreview(ownPhase, LABEL_UNITS)
    const defaults = this.#parts.phasesOf(group).find((known) => known.title === phase)
    const provider = textOf(options.provider) ?? defaults?.provider
    // The run's model is one of the run's own back end; another back end would not know it.
    const model =
      textOf(options.model) ?? defaults?.model ?? (provider === undefined ? this.#context.options.model : undefined)
    return {
      path: asCallPath(path),
      key: makeCallKey(prompt, options),
      prompt,
      options,
      phase,
      provider,
      wishes: { ...readWishes(options), ...(model !== undefined && { model }) },
      group,
      site,
      diverged,
    }
  }

  #noteUnmetered({ id, capabilities }: AgentBackend): void {
    if (this.#context.budget.total === null || capabilities.usage !== 'none' || this.#unmetered.has(id)) return
    this.#unmetered.add(id)
    const message = `back end ${id} reports no usage, so the budget can not bind its agents`
    this.#context.log.emit('warning', { code: 'budget/no-usage', message })
  }
}

const CLOSED: ScriptFacingError = { code: 'CANCELLED', message: 'the run is ending', fatal: true }

function refused(error: ScriptFacingError, live: boolean): () => Promise<Reply> {
  return () => Promise.resolve({ answer: { error }, live })
}

function agentCap(maxAgents: number): ScriptFacingError {
  const most = maxAgents.toLocaleString('en-US')
  return { code: 'AGENT_CAP', message: `this run may call at most ${most} agents, and they are used up`, fatal: true }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const

function readWishes(options: JsonObject): BackendWishes {
  const effort = EFFORTS.find((known) => known === options.effort)
  const agentType = textOf(options.agentType)
  const { allowedTools } = options
  return {
    ...(effort !== undefined && { effort }),
    ...(agentType !== undefined && { agentType }),
    ...(Array.isArray(allowedTools) && { allowedTools: allowedTools.filter((tool) => typeof tool === 'string') }),
    ...(options.isolation === 'worktree' && { isolation: 'worktree' as const }),
  }
}

function labelOf(label: JsonValue | undefined, prompt: string): string {
  return typeof label === 'string' ? toPreview(label, LABEL_UNITS) : toPreview(prompt, PROMPT_LABEL_UNITS)
}
