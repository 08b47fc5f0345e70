// What a resume would do: the real engine answers from the earlier run's rows as it would then; what is left is simulated on
// virtual time. Calls made before the first simulated answer reached their scope are certain, all later ones a guess.

import {
  EMPTY_RUN,
  foldRunAll,
  HostError,
  plural,
  type AgentNumber,
  type HostCalls,
  type JsonValue,
  type PlannedCall,
  type ResumePlan,
  type RunId,
} from '../../shared/index.ts'
import { createVirtualClock, type CallOpening, type JournalRow } from '../../engine/index.ts'
import type { Store } from '../../store/index.ts'
import type { Caller } from '../api/handlers.ts'
import { loadFixturesFor } from '../backends/fixtures.ts'
import type { HostContext } from '../context.ts'
import { MemoryStore } from '../dry-run/memory-store.ts'
import { readRecordedAnswers } from '../dry-run/recorded-answers.ts'
import { chooseBackend, requireKnown } from '../runs/choose-backend.ts'
import { readArgs } from '../runs/read-args.ts'
import { checkWorkspace, resolveSource } from '../runs/resolve-source.ts'
import { argsOf, resumeNotices, resumeOptions, settleWish, type EarlierRun, type RunWish } from '../runs/resume-run.ts'
import { answerAll } from '../runs/run-permissions.ts'
import { describeStarter, makeHostHandle, runLimits } from '../runs/start-run.ts'
import { createWorkflowSource } from '../workspace/workflow-source.ts'
import { Explanations, type EarlierCall } from './explain.ts'

type PlanCall = HostCalls['run.resumePlan']

/** How the engine took a call. */
interface Taken {
  row: JournalRow | undefined
  diverged: boolean
}

/** The memory of a run that never was: its journal begins with another run's rows. */
class PlanStore extends MemoryStore {
  readonly openings = new Map<AgentNumber, CallOpening>()
  readonly #rows: readonly JournalRow[]

  constructor(rows: readonly JournalRow[]) {
    super()
    this.#rows = rows
  }

  override openCall(_runId?: RunId, call?: CallOpening): void {
    if (call !== undefined) this.openings.set(call.agent, call)
  }

  override async readReplayable(): Promise<JournalRow[]> {
    return [...this.#rows]
  }
}

/** Rejects as `run.start` would for the same parameters. A caller that goes away ends it. */
export async function planResume(
  asked: PlanCall['params'],
  caller: Caller,
  context: HostContext,
): Promise<PlanCall['result']> {
  const { wish, earlier } = await settleWish(asked, context)
  if (earlier === undefined)
    throw new HostError({ code: 'BAD_REQUEST', message: 'run.resumePlan: resumeFromRunId is missing' })
  const memory = new PlanStore(earlier.rows)
  const taken = new Map<AgentNumber, Taken>()
  const args = argsOf(readArgs(asked.args, caller.identity.kind).args, earlier)
  const wished = { ...wish, ...(args !== undefined && { args }) }
  await rehearse({ wish: wished, earlier, memory, taken }, caller, context)
  const plan = makePlan(earlier, memory, taken, context.store)
  const changed = await resumeNotices(asked, earlier, context)
  return { ...plan, notes: [...changed.map(({ message }) => message), ...plan.notes] }
}

interface Rehearsal {
  wish: RunWish
  earlier: EarlierRun
  memory: PlanStore
  taken: Map<AgentNumber, Taken>
}

async function rehearse(
  { wish, earlier, memory, taken }: Rehearsal,
  caller: Caller,
  context: HostContext,
): Promise<void> {
  const { engine, settings, backends, catalog, store } = context
  await checkWorkspace(wish.workspace)
  const script = await engine.prepare(await resolveSource(wish.source, wish.workspace, catalog))
  const loaded = settings.read()
  const chosen = chooseBackend(wish.backend, loaded, settings.path)
  const clock = createVirtualClock(Date.now())
  const fixtures = await loadFixturesFor(script.source.path, undefined)
  const recorded = await readRecordedAnswers(store, earlier.runId)
  const simulation = { recorded: recorded.find }
  const source = backends.forDryRun({ settings: loaded.settings, chosen, clock, fixtures, simulation })
  requireKnown(source, chosen)
  context.checkRunning()
  if (caller.signal.aborted) throw new HostError({ code: 'CLOSED', message: 'The connection was closed' })
  const handle = engine.start({
    runId: context.ids.runId(),
    script,
    ports: {
      backends: source,
      events: memory,
      journal: memory,
      permissions: answerAll('allow-once'),
      workflows: createWorkflowSource(catalog, wish.workspace),
      clock,
    },
    host: makeHostHandle(),
    workspace: wish.workspace,
    startedBy: describeStarter(caller.identity),
    backend: chosen,
    simulated: true,
    dry: true,
    onCall: (agent, call) => taken.set(agent, call),
    // Read, or from the earlier run: JSON data.
    ...(wish.args !== undefined && { args: wish.args as JsonValue }),
    ...runLimits(wish, context),
    ...resumeOptions(earlier),
  })
  const leave = (): void => handle.cancel('the client went away')
  caller.signal.addEventListener('abort', leave)
  await handle.settled.finally(() => caller.signal.removeEventListener('abort', leave))
}

function makePlan(
  { runId, rows }: EarlierRun,
  memory: PlanStore,
  taken: ReadonlyMap<AgentNumber, Taken>,
  store: Store,
): ResumePlan {
  const used = new Set([...taken.values()].flatMap(({ row }) => row?.agent ?? []))
  const unused = readCalls(store, runId).filter(({ agent }) => !used.has(agent))
  const why = new Explanations(unused, (agent) => store.readCall(runId, agent))
  const { agents, usage, error } = memory.state
  const calls = agents.map((state): PlannedCall => {
    const { agent, path, key, label, phase, group } = state
    const call = { agent, path, label, phase, group }
    const { row, diverged = true } = taken.get(agent) ?? {}
    if (row !== undefined) return { ...call, fate: 'replays', ...(row.path !== path && { movedFrom: row.path }) }
    if (diverged) return { ...call, fate: 'depends' }
    const { prompt = '', options = {} } = memory.openings.get(agent) ?? {}
    return { ...call, fate: 'runs', reason: why.explain({ path, key, label, prompt, options }) }
  })
  const count = (fate: PlannedCall['fate']): number => calls.filter((call) => call.fate === fate).length
  const plan = {
    resumes: runId,
    calls,
    replays: count('replays'),
    runs: count('runs'),
    depends: count('depends'),
    firstRun: calls.find(({ fate }) => fate !== 'replays')?.agent ?? null,
    replayedOutputTokens: usage.replayedOutputTokens,
    estimatedOutputTokens: usage.outputTokens,
    unused: rows.length - used.size,
  }
  return {
    ...plan,
    notes: describeLimits(
      plan,
      error?.message,
      rows.filter(({ agent }) => used.has(agent)),
    ),
  }
}

function readCalls(store: Store, runId: RunId): EarlierCall[] {
  const { agents } = foldRunAll(EMPTY_RUN, store.readEvents(runId, 1, store.lastSeq(runId)))
  return agents.map(({ agent, path, key, label, status, error }) => ({
    agent,
    path,
    key,
    label,
    status,
    ...(error !== undefined && { error: error.message }),
  }))
}

function describeLimits(
  { depends, unused }: Pick<ResumePlan, 'depends' | 'unused'>,
  error: string | undefined,
  used: readonly JournalRow[],
): string[] {
  const notes: string[] = []
  if (depends > 0)
    notes.push(
      `${plural(depends, 'call')} of this plan ${depends === 1 ? 'depends' : 'depend'} on answers that nobody knows yet: how many there will be and what they ask is an estimate`,
    )
  if (error !== undefined)
    notes.push(`with simulated answers the script ends in an error, so that later calls are not in this plan: ${error}`)
  if (unused > 0) notes.push(`${plural(unused, 'finished call')} of the earlier run would not be used`)
  const branches = used.flatMap(({ branch }) => branch ?? [])
  if (branches.length > 0)
    notes.push(`replayed agents do not make their files again; they are on ${branches.join(', ')}`)
  return notes
}
