// One run from its start to its end: puts the parts together and sees to it that everything that was started has ended
// before the run has.

import type { AgentNumber, AgentOutcome, JsonValue, RunError, RunId, RunOutcome } from '../../shared/index.ts'
import { plural } from '../../shared/lib/text.ts'
import type {
  AgentAction,
  EngineOptions,
  PreparedScript,
  RunHandle,
  RunSettlement,
  StartRunOptions,
} from '../engine.ts'
import type { ScriptText } from '../ports.ts'
import type { SandboxPool } from '../sandbox/pool.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { Admission } from './admission.ts'
import type { AgentCall } from './agent-call.ts'
import { Breaker } from './breaker.ts'
import { RunBudget } from './budget.ts'
import { previewOf } from './call-end.ts'
import { withClockHeld, type RunContext } from './context.ts'
import { EventLog } from './event-log.ts'
import { Narration } from './narration.ts'
import { NestedWorkflows } from './nested.ts'
import { RunPause } from './pause.ts'
import { RunPermits, type SharedPermits } from './permits.ts'
import { ReplayRows } from './replay.ts'
import { RunBackends } from './run-backends.ts'
import { toInternalError } from './run-errors.ts'
import { ScriptSession } from './script-session.ts'
import { readSettings } from './settings.ts'
import { StallWatch } from './stall-watch.ts'
import { RunSchemas, type SchemaChecker } from './structured-call.ts'
import { Throttle } from './throttle.ts'

/** How long a cancelled script may still run its `finally` blocks. */
const SCRIPT_GRACE_MS = 1000
const SCRIPT_GRACE_SHARE = 0.8

export interface RunTools {
  engine: EngineOptions & Required<Pick<EngineOptions, 'syncTimeoutMs' | 'memoryMiB'>>
  pool: SandboxPool
  permits: SharedPermits
  checker: SchemaChecker & { prepare(source: ScriptText): Promise<PreparedScript> }
}

interface Ending {
  outcome: Exclude<RunOutcome, 'interrupted'>
  value?: JsonValue
  error?: RunError
  reason?: string
}

export class Run implements RunHandle {
  readonly id: RunId
  readonly settled: Promise<RunSettlement>
  readonly #tools: RunTools
  readonly #context: RunContext
  readonly #narration: Narration
  readonly #nested: NestedWorkflows
  readonly #startedAt: number
  readonly #calls = new Map<AgentNumber, AgentCall>()
  #session: ScriptSession | undefined
  #failedCalls = 0
  #cancelReason: string | undefined
  #scriptGrace: NodeJS.Timeout | undefined
  /** Settled once, with how the run ends. */
  readonly #decided: Promise<Ending>
  #decide: (ending: Ending) => void = () => undefined
  #isDecided = false

  /** `run-started` is in the sink when this has returned. Throws WorkflowError for options that make no sense. */
  constructor(tools: RunTools, options: StartRunOptions) {
    this.#tools = tools
    const { clock } = options.ports
    this.id = options.runId ?? tools.engine.ids.runId()
    this.#context = makeContext(this.id, tools, options, (error) => this.#settleAs({ outcome: 'error', error }))
    this.#narration = new Narration(this.#context.log)
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
    const { permits, settings } = this.#context
    permits.open = false
    for (const call of this.#calls.values()) call.stop('cancel')
    if (this.#session === undefined) return this.#settleAs({ outcome: 'cancelled' })
    this.#session.cancel(reason)
    const grace = Math.min(SCRIPT_GRACE_MS, settings.cancelGraceMs * SCRIPT_GRACE_SHARE)
    this.#scriptGrace = setTimeout(() => this.#settleAs({ outcome: 'cancelled' }), grace)
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
    try {
      this.#announce()
      this.#begin().catch((error: unknown) => this.#context.fail(toInternalError(error)))
    } catch (error) {
      this.#context.fail(toInternalError(error))
    }
    return this.#end(await this.#decided)
  }

  #announce(): void {
    const { options, settings, lineage, log } = this.#context
    const { script, args, model, title, resumeFrom } = options
    log.emit('run-started', {
      runId: this.id,
      meta: script.meta,
      scriptHash: script.hash,
      scriptPath: script.source.path,
      fileName: script.source.fileName,
      workspace: options.workspace,
      ...(args !== undefined && { args }),
      backend: options.backend,
      ...(model !== undefined && { model }),
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
    const { options, ports, clock } = this.#context
    const { resumeFrom } = options
    await withClockHeld(clock, async () => {
      const [sandbox, rows] = await Promise.all([
        this.#tools.pool.take(),
        resumeFrom === undefined ? [] : ports.journal.readReplayable(resumeFrom),
      ])
      if (this.#isDecided) return sandbox.end()
      this.#session = this.#makeSession(sandbox, new ReplayRows(rows))
      this.#session.start()
    })
  }

  #makeSession(sandbox: Sandbox, replay: ReplayRows): ScriptSession {
    const { options, settings, ports, clock, log } = this.#context
    const { checker, pool, engine } = this.#tools
    const noteSchema = (message: string): void => void log.emit('warning', { code: 'schema/note', message })
    const admission = new Admission(this.#context, {
      backends: new RunBackends(ports.backends, options.backend),
      schemas: new RunSchemas(checker, clock, settings.structuredOutputRetries, noteSchema),
      replay,
      phasesOf: (group) => this.#nested.phasesOf(group),
      announcePhase: (title, group) => this.#narration.announcePhase(title, group),
      isClosed: () => this.#isDecided || this.#cancelReason !== undefined,
      onAdmitted: (call) => this.#calls.set(call.spec.agent, call),
      onEnded: (call, outcome) => this.#noteEnd(call, outcome),
    })
    return new ScriptSession(this.#context, sandbox, {
      admission,
      nested: this.#nested,
      narration: this.#narration,
      watchdog: pool.watchdog,
      syncTimeoutMs: engine.syncTimeoutMs,
      memoryMiB: engine.memoryMiB,
      onEnd: (end) => this.#settleAs({ outcome: 'error' in end ? 'error' : 'completed', ...end }),
      onIdle: () => {
        if (this.#cancelReason !== undefined) this.#settleAs({ outcome: 'cancelled' })
      },
    })
  }

  #noteEnd(call: AgentCall, outcome: AgentOutcome): void {
    this.#calls.delete(call.spec.agent)
    if (outcome === 'failed') this.#failedCalls++
  }

  /** The first word on how the run ends counts; once it is being cancelled, it ends as cancelled. */
  #settleAs(ending: Ending): void {
    if (this.#isDecided) return
    this.#isDecided = true
    clearTimeout(this.#scriptGrace)
    const reason = this.#cancelReason
    this.#decide(reason === undefined ? ending : { outcome: 'cancelled', reason })
  }

  async #end(ending: Ending): Promise<RunSettlement> {
    const { permits, pause, stalls, throttle } = this.#context
    const left = ending.outcome === 'completed' ? (this.#session?.waitingCalls ?? 0) : 0
    permits.open = false
    pause.close()
    throttle.close()
    stalls.close()
    this.#session?.close()
    await this.#endCalls()
    const settlement = await this.#settle(ending)
    try {
      await this.#writeEnd(settlement, ending.reason, left)
      return settlement
    } catch (failure) {
      this.#context.logger.error('a run could not be ended in its log', { runId: this.id, error: String(failure) })
      return { ...settlement, outcome: 'error', result: null, error: settlement.error ?? toInternalError(failure) }
    }
  }

  /** Leftovers are aborted; each has its end before the run has its own. */
  async #endCalls(): Promise<void> {
    for (const call of this.#calls.values()) call.stop('cancel')
    await Promise.all([...this.#calls.values()].map((call) => call.ended))
  }

  /** Stores the result; a run whose result is lost has not completed. */
  async #settle({ outcome, value = null, error }: Ending): Promise<RunSettlement> {
    const degraded = this.#failedCalls > 0
    if (outcome !== 'completed') return { outcome, degraded, result: null, ...(error !== undefined && { error }) }
    const { clock, ports } = this.#context
    try {
      await withClockHeld(clock, () => ports.journal.saveResult(this.id, value))
      return { outcome, degraded, result: value }
    } catch (failure) {
      return { outcome: 'error', degraded, result: null, error: toInternalError(failure) }
    }
  }

  async #writeEnd(settlement: RunSettlement, reason: string | undefined, left: number): Promise<void> {
    const { outcome, degraded, result, error } = settlement
    const { log, clock } = this.#context
    this.#narration.close()
    this.#nested.closeAll(error ?? { code: 'CANCELLED', message: reason ?? 'the run ended' })
    // A call that began is seen to end; one that did not would vanish.
    if (left > 0) {
      const message = `${plural(left, 'agent call')} came to nothing: the script ended without waiting (write \`await\`)`
      log.emit('warning', { code: 'script/calls-not-awaited', message })
    }
    log.emit('run-ended', {
      outcome,
      degraded,
      ...(error !== undefined && { error }),
      ...(reason !== undefined && { reason }),
      ...(outcome === 'completed' && { resultPreview: previewOf(result) }),
      durationMs: clock.now() - this.#startedAt,
    })
    await log.flush()
  }
}

function makeContext(
  runId: RunId,
  tools: RunTools,
  options: StartRunOptions,
  fail: (error: RunError) => void,
): RunContext {
  const settings = readSettings(tools.engine, options)
  const { clock, events } = options.ports
  const log = new EventLog(runId, events, clock)
  const permits = new RunPermits(settings.maxConcurrentAgents, tools.permits)
  return {
    runId,
    lineage: options.lineage ?? runId,
    options,
    settings,
    ports: options.ports,
    clock,
    logger: tools.engine.logger,
    log,
    budget: new RunBudget(settings.budgetTokens),
    permits,
    pause: new RunPause(log, permits, clock),
    throttle: new Throttle(log, permits, clock, settings.maxConcurrentAgents),
    breaker: new Breaker(),
    stalls: new StallWatch(clock, settings.stallSeconds),
    fail,
  }
}
