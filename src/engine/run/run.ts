// One run from its start to its end: puts the parts together, passes messages between the script and them, and sees to it
// that everything that was started has ended before the run has.

import {
  type AgentNumber,
  type AgentOutcome,
  type JsonValue,
  type RunError,
  type RunId,
  type RunOutcome,
} from '../../shared/index.ts'
import type {
  AgentAction,
  EngineOptions,
  PreparedScript,
  RunHandle,
  RunSettlement,
  StartRunOptions,
} from '../engine.ts'
import type { ScriptText } from '../ports.ts'
import { toWritten } from '../script/positions.ts'
import { locateScript } from '../sandbox/locate.ts'
import type { SandboxPool } from '../sandbox/pool.ts'
import type { WorkerMessage, WorkerMessageOf } from '../sandbox/protocol.ts'
import type { Sandbox, SandboxDeath } from '../sandbox/sandbox.ts'
import type { Overrun } from '../sandbox/watchdog.ts'
import { Admission, type Reply } from './admission.ts'
import { previewOf, type AgentCall } from './agent-call.ts'
import { Breaker } from './breaker.ts'
import { RunBudget } from './budget.ts'
import { withClockHeld, type RunContext } from './context.ts'
import { EventLog } from './event-log.ts'
import { Narration } from './narration.ts'
import { NestedWorkflows } from './nested.ts'
import { RunPause } from './pause.ts'
import { RunPermits, type SharedPermits } from './permits.ts'
import { ReplayRows } from './replay.ts'
import { RunBackends } from './run-backends.ts'
import { readSettings } from './settings.ts'
import { StallWatch } from './stall-watch.ts'
import { RunSchemas, type SchemaChecker } from './structured-call.ts'

const MAX_ITEMS = 4096
/** How long a cancelled script may still run its `finally` blocks. */
const SCRIPT_GRACE_MS = 1000

export interface RunTools {
  engine: EngineOptions
  pool: SandboxPool
  permits: SharedPermits
  checker: SchemaChecker & { prepare(source: ScriptText): Promise<PreparedScript> }
}

type Ending = { outcome: Exclude<RunOutcome, 'interrupted'>; value?: JsonValue; error?: RunError; reason?: string }

export class Run implements RunHandle {
  readonly id: RunId
  readonly settled: Promise<RunSettlement>
  readonly #tools: RunTools
  readonly #context: RunContext
  readonly #narration: Narration
  readonly #nested: NestedWorkflows
  readonly #startedAt: number
  readonly #calls = new Map<AgentNumber, AgentCall>()
  #admission: Admission | undefined
  #sandbox: Sandbox | undefined
  #releaseClock: (() => void) | undefined
  /** Calls of the script that have no answer yet. */
  #outstanding = 0
  #failedCalls = 0
  #cancelReason: string | undefined
  #scriptGrace: NodeJS.Timeout | undefined
  /** Settled once, with how the run ends. */
  readonly #decided: Promise<Ending>
  #decide: (ending: Ending) => void = () => undefined
  #isDecided = false

  /** `run-started` is in the sink when this has returned, so that a flush then finds the run. Throws WorkflowError for options that make no sense. */
  constructor(tools: RunTools, options: StartRunOptions) {
    this.#tools = tools
    const { clock, events } = options.ports
    const settings = readSettings(tools.engine, options)
    this.id = options.runId ?? tools.engine.ids.runId()
    const log = new EventLog(this.id, events, clock)
    const permits = new RunPermits(settings.maxConcurrentAgents, tools.permits)
    this.#context = {
      runId: this.id,
      lineage: options.lineage ?? this.id,
      options,
      settings,
      ports: options.ports,
      clock,
      logger: tools.engine.logger,
      log,
      budget: new RunBudget(settings.budgetTokens),
      permits,
      pause: new RunPause(log, permits, clock),
      breaker: new Breaker(),
      stalls: new StallWatch(clock, settings.stallSeconds),
      fail: (error) => this.#settleAs({ outcome: 'error', error }),
    }
    this.#narration = new Narration(log)
    this.#nested = new NestedWorkflows(this.#context, (source) => tools.checker.prepare(source))
    this.#startedAt = clock.now()
    this.#decided = new Promise((resolve) => {
      this.#decide = resolve
    })
    this.settled = this.#live()
  }

  cancel(reason = 'cancelled'): void {
    if (this.#isDecided || this.#cancelReason !== undefined) return
    this.#cancelReason = reason
    this.#context.permits.open = false
    for (const call of this.#calls.values()) call.stop('cancel')
    if (this.#sandbox === undefined) return this.#settleAs({ outcome: 'cancelled', reason })
    this.#sandbox.send({ type: 'cancel', reason })
    const grace = Math.min(SCRIPT_GRACE_MS, this.#context.settings.cancelGraceMs * 0.8)
    this.#scriptGrace = setTimeout(() => this.#settleAs({ outcome: 'cancelled', reason }), grace)
  }

  pause(reason = 'paused by the user'): void {
    if (!this.#isDecided) this.#context.pause.pause('user', reason)
  }

  continue(): void {
    if (!this.#isDecided) this.#context.pause.continue('user')
  }

  act(agent: AgentNumber, action: AgentAction): boolean {
    const call = this.#calls.get(agent)
    if (call === undefined) return false
    if (action === 'retry') call.retry()
    else call.stop(action)
    return true
  }

  async #live(): Promise<RunSettlement> {
    let ending: Ending
    try {
      this.#announce()
      this.#begin().catch((error: unknown) => this.#context.fail(toInternalError(error)))
      ending = await this.#decided
    } catch (error) {
      ending = { outcome: 'error', error: toInternalError(error) }
      this.#settleAs(ending)
    }
    return this.#end(ending)
  }

  #announce(): void {
    const { options, settings, lineage, log } = this.#context
    const { script, args, title, resumeFrom } = options
    log.emit('run-started', {
      runId: this.id,
      meta: script.meta,
      scriptHash: script.hash,
      scriptPath: script.source.path,
      fileName: script.source.fileName,
      workspace: options.workspace,
      ...(args !== undefined && { args }),
      backend: options.backend,
      simulated: options.simulated,
      dry: options.dry,
      budgetTokens: settings.budgetTokens,
      maxConcurrentAgents: settings.maxConcurrentAgents,
      maxAgents: settings.maxAgents,
      startedBy: options.startedBy,
      lineage,
      resumedFrom: resumeFrom ?? null,
      ...(title !== undefined && { title }),
    })
    for (const notice of options.notices ?? []) log.emit('warning', notice)
  }

  async #begin(): Promise<void> {
    const { options, settings, clock, log, ports } = this.#context
    const release = clock.hold()
    try {
      const { resumeFrom } = options
      const [sandbox, rows] = await Promise.all([
        this.#tools.pool.take(),
        resumeFrom === undefined ? [] : ports.journal.readReplayable(resumeFrom),
      ])
      if (this.#isDecided) return sandbox.end()
      this.#admission = new Admission(this.#context, {
        backends: new RunBackends(ports.backends, options.backend),
        schemas: new RunSchemas(this.#tools.checker, clock, settings.structuredOutputRetries, (note) =>
          log.emit('warning', { code: 'schema/note', message: note }),
        ),
        replay: new ReplayRows(rows),
        phasesOf: (group) => this.#nested.phasesOf(group),
        announcePhase: (title, group) => this.#narration.announcePhase(title, group),
        isClosed: () => this.#isDecided || this.#cancelReason !== undefined,
        onAdmitted: (call) => this.#calls.set(call.spec.agent, call),
        onEnded: (call, outcome) => this.#noteEnd(call, outcome),
      })
      this.#startScript(sandbox)
    } finally {
      release()
    }
  }

  #startScript(sandbox: Sandbox): void {
    this.#sandbox = sandbox
    sandbox.listen({
      onMessages: (messages) => this.#receive(sandbox, messages),
      onDeath: (death) => this.#settleAs({ outcome: 'error', error: describeDeath(death, this.#memoryMiB) }),
    })
    this.#tools.pool.watchdog.onOverrun(sandbox, (overrun) => void this.#onOverrun(sandbox, overrun))
    const { script, args } = this.#context.options
    this.#send(sandbox, {
      type: 'start',
      script: {
        group: 0,
        name: script.meta.name,
        fileName: script.source.fileName,
        code: script.code,
        positions: script.positions,
      },
      args: args === undefined ? {} : { value: args },
      budgetTotal: this.#context.settings.budgetTokens,
      maxItems: MAX_ITEMS,
    })
  }

  /** While the script has something to chew on, virtual time stands still. */
  #send(sandbox: Sandbox, message: Parameters<Sandbox['send']>[0]): void {
    this.#releaseClock ??= this.#context.clock.hold()
    sandbox.spent = this.#context.budget.spent
    sandbox.send(message)
  }

  #receive(sandbox: Sandbox, messages: readonly WorkerMessage[]): void {
    try {
      for (const message of messages) this.#take(message)
    } catch (error) {
      this.#context.fail(toInternalError(error))
    }
    // What was taken may have been answered, or the run cancelled, there and then.
    if (sandbox.busy || this.#isDecided) return
    this.#releaseClock?.()
    this.#releaseClock = undefined
    if (this.#cancelReason !== undefined) this.#settleAs({ outcome: 'cancelled', reason: this.#cancelReason })
    else if (this.#outstanding === 0) this.#settleAs({ outcome: 'error', error: WAITS_FOR_NOTHING })
  }

  #take(message: WorkerMessage): void {
    switch (message.type) {
      case 'agent':
        return this.#call(message.call, this.#admission?.take(message))
      case 'workflow':
        return this.#openNested(message)
      case 'workflow-done':
        return this.#nested.close(message.group, message.error)
      case 'phase':
        return this.#narration.announcePhase(message.title, message.group)
      case 'log':
        return this.#narration.line(message)
      case 'warning':
        return this.#narration.warn(message)
      case 'unhandled':
        return this.#narration.noteUnhandled(message)
      case 'unhandled-late':
        return this.#narration.forgetUnhandled(message)
      case 'completed':
        return this.#settleAs(
          this.#cancelReason === undefined
            ? { outcome: 'completed', value: message.value }
            : { outcome: 'cancelled', reason: this.#cancelReason },
        )
      case 'failed':
        return this.#settleAs(
          this.#cancelReason === undefined
            ? { outcome: 'error', error: { file: this.#fileName, ...message.error } }
            : { outcome: 'cancelled', reason: this.#cancelReason },
        )
      case 'ready':
        return undefined
    }
  }

  #call(call: number, reply: Promise<Reply> | undefined): void {
    if (reply === undefined) return
    this.#outstanding++
    reply.then(
      ({ answer, live }) => {
        this.#outstanding--
        const sandbox = this.#sandbox
        if (sandbox === undefined) return
        if ('error' in answer) this.#send(sandbox, { type: 'refusal', call, error: answer.error, live })
        else this.#send(sandbox, { type: 'answer', call, value: answer.value, live })
      },
      (error: unknown) => this.#context.fail(toInternalError(error)),
    )
  }

  #openNested(message: WorkerMessageOf<'workflow'>): void {
    this.#outstanding++
    this.#nested.open(message).then(
      (opened) => {
        this.#outstanding--
        const sandbox = this.#sandbox
        if (sandbox === undefined) return
        const { call } = message
        if ('script' in opened) this.#send(sandbox, { type: 'nested', call, script: opened.script })
        else this.#send(sandbox, { type: 'refusal', call, error: opened.error, live: false })
      },
      (error: unknown) => this.#context.fail(toInternalError(error)),
    )
  }

  #noteEnd(call: AgentCall, outcome: AgentOutcome): void {
    this.#calls.delete(call.spec.agent)
    if (outcome === 'failed') this.#failedCalls++
  }

  async #onOverrun(sandbox: Sandbox, overrun: Overrun): Promise<void> {
    // What takes memory has to be stopped at once.
    if (overrun === 'memory') return this.#settleAs({ outcome: 'error', error: memoryError(this.#memoryMiB) })
    const place = await locateScript(sandbox.worker)
    const script = place === undefined ? undefined : this.#nested.scriptOf(place.group)
    const written = place === undefined || script === undefined ? undefined : toWritten(script.positions, place)
    const file = script?.source.fileName ?? this.#fileName
    const at = written === undefined ? '' : ` at ${file}:${written.line}`
    const seconds = (this.#tools.engine.syncTimeoutMs ?? DEFAULT_SYNC_TIMEOUT_MS) / 1000
    const message = `the script used too much CPU: it did not yield for ${seconds} s${at}`
    this.#settleAs({ outcome: 'error', error: { code: 'SCRIPT_STUCK', message, file, ...written } })
  }

  /** The first word on how the run ends counts. */
  #settleAs(ending: Ending): void {
    if (this.#isDecided) return
    this.#isDecided = true
    clearTimeout(this.#scriptGrace)
    this.#decide(ending)
  }

  async #end(ending: Ending): Promise<RunSettlement> {
    const { log, permits, pause, stalls, clock, ports } = this.#context
    permits.open = false
    pause.close()
    stalls.close()
    this.#sandbox?.end()
    this.#sandbox = undefined
    this.#releaseClock?.()
    await this.#endCalls()
    let { outcome, error } = ending
    const degraded = this.#failedCalls > 0
    const result = outcome === 'completed' ? (ending.value ?? null) : null
    try {
      this.#narration.close()
      this.#nested.closeAll(error ?? { code: 'CANCELLED', message: ending.reason ?? 'the run ended' })
      if (outcome === 'completed') await withClockHeld(clock, () => ports.journal.saveResult(this.id, result))
    } catch (failure) {
      outcome = 'error'
      error = toInternalError(failure)
    }
    try {
      log.emit('run-ended', {
        outcome,
        degraded,
        ...(error !== undefined && { error }),
        ...(ending.reason !== undefined && { reason: ending.reason }),
        ...(outcome === 'completed' && { resultPreview: previewOf(result) }),
        durationMs: clock.now() - this.#startedAt,
      })
      await log.flush()
    } catch (failure) {
      this.#context.logger.error('a run could not be ended in its log', { runId: this.id, error: String(failure) })
      outcome = 'error'
      error ??= toInternalError(failure)
    }
    return { outcome, degraded, result: outcome === 'completed' ? result : null, ...(error !== undefined && { error }) }
  }

  /** Leftovers are aborted; each has its end before the run has its own. */
  async #endCalls(): Promise<void> {
    for (const call of this.#calls.values()) call.stop('cancel')
    await Promise.all([...this.#calls.values()].map((call) => call.ended))
  }

  get #fileName(): string {
    return this.#context.options.script.source.fileName
  }

  get #memoryMiB(): number {
    return this.#tools.engine.memoryMiB ?? DEFAULT_MEMORY_MIB
  }
}

export const DEFAULT_SYNC_TIMEOUT_MS = 5000
export const DEFAULT_MEMORY_MIB = 512

const WAITS_FOR_NOTHING: RunError = {
  code: 'SCRIPT_WAITS',
  message:
    'the script waits for nothing: no agent and no nested workflow is outstanding, and what it awaits can not settle any more',
}

function describeDeath(death: SandboxDeath, memoryMiB: number): RunError {
  if (death.kind === 'memory') return memoryError(memoryMiB)
  return { code: 'INTERNAL', message: `the sandbox of the script failed: ${death.message}` }
}

function memoryError(memoryMiB: number): RunError {
  return { code: 'SCRIPT_MEMORY', message: `the script used more than ${memoryMiB} MiB of memory` }
}

function toInternalError(error: unknown): RunError {
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) }
}
