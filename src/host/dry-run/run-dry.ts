// A dry run: the real engine with simulated agents on virtual time. Nothing is stored, no process is started, no file is
// written; what it reads are scripts, fixtures and what earlier runs took and answered.

import { HostError, toRunEnvelope, type DryRunPlan, type HostCalls } from '../../shared/index.ts'
import { createVirtualClock, type PreparedScript } from '../../engine/index.ts'
import type { Caller } from '../api/handlers.ts'
import { loadFixturesFor } from '../backends/fixtures.ts'
import type { HostContext } from '../context.ts'
import { defaultBackend, requireKnown } from '../runs/choose-backend.ts'
import { checkArgs } from '../runs/check-args.ts'
import { readArgs } from '../runs/read-args.ts'
import { checkWorkspace, resolveSource } from '../runs/resolve-source.ts'
import { answerAll } from '../runs/run-permissions.ts'
import { describeStarter, makeHostHandle, runLimits } from '../runs/start-run.ts'
import { createWorkflowSource } from '../workspace/workflow-source.ts'
import { readCallHistory } from './call-history.ts'
import { MemoryStore } from './memory-store.ts'
import { planDryRun, type PlanContext } from './plan.ts'
import { readRecordedAnswers } from './recorded-answers.ts'

type DryRun = HostCalls['run.dryRun']

/** Runs to the end; a caller that goes away ends it. */
export async function runDry(wish: DryRun['params'], caller: Caller, context: HostContext): Promise<DryRun['result']> {
  const { engine, settings, backends, catalog } = context
  await checkWorkspace(wish.workspace)
  const script = await engine.prepare(await resolveSource(wish.source, wish.workspace, catalog))
  const loaded = settings.read()
  const chosen = wish.backend ?? defaultBackend(loaded)
  const clock = createVirtualClock(Date.now())
  const sources = await readSources(wish, script, context)
  const { fixtures, history, recorded } = sources
  const simulation = { ...wish.simulation, history: history.find, ...(recorded && { recorded: recorded.find }) }
  const source = backends.forDryRun({ settings: loaded.settings, chosen, clock, fixtures, simulation })
  requireKnown(source, chosen)
  const { args, notices } = readArgs(wish.args, caller.identity.kind)
  // It shows what a live run would do, a refusal too.
  await checkArgs(args, script.source.path, engine)
  const memory = new MemoryStore()
  const nested = new Map<number, PreparedScript>()
  context.checkRunning()
  if (caller.signal.aborted) throw new HostError({ code: 'CLOSED', message: 'The connection was closed' })
  const handle = engine.start({
    runId: context.ids.runId(),
    notices,
    script,
    ports: {
      backends: source,
      events: memory,
      journal: memory,
      permissions: answerAll(wish.simulation?.permissions ?? 'allow-once'),
      workflows: createWorkflowSource(catalog, wish.workspace),
      clock,
    },
    host: makeHostHandle(),
    workspace: wish.workspace,
    startedBy: describeStarter(caller.identity),
    backend: chosen,
    simulated: true,
    dry: true,
    onNested: (group, prepared) => nested.set(group, prepared),
    ...(args !== undefined && { args }),
    ...runLimits(wish, context),
  })
  const leave = (): void => handle.cancel('the client went away')
  caller.signal.addEventListener('abort', leave)
  const { result } = await handle.settled.finally(() => caller.signal.removeEventListener('abort', leave))
  return {
    envelope: toRunEnvelope(memory.state, result),
    events: memory.events,
    plan: planDryRun(memory.events, { ...describeScripts(script, nested), ...describeSources(sources) }),
  }
}

type Sources = Awaited<ReturnType<typeof readSources>>

/** Where simulated agents get their answers, durations and tokens from. */
async function readSources(
  { workspace, simulation }: DryRun['params'],
  script: PreparedScript,
  { store, settings }: HostContext,
) {
  const run = simulation?.answersFromRun
  return {
    fixtures: await loadFixturesFor(script.source.path, simulation?.fixturesPath),
    history: await readCallHistory(store, {
      workflow: script.meta.name,
      workspace,
      settings: settings.read().settings,
    }),
    recorded: run === undefined ? undefined : await readRecordedAnswers(store, run),
  }
}

function describeScripts(
  script: PreparedScript,
  nested: ReadonlyMap<number, PreparedScript>,
): Pick<PlanContext, 'callSites' | 'nested'> {
  return {
    callSites: script.callSites,
    nested: new Map(
      [...nested].map(([group, { source, callSites }]) => [group, { file: source.path ?? source.fileName, callSites }]),
    ),
  }
}

/** What came of them, once the run is over. */
function describeSources({ fixtures, history, recorded }: Sources): Pick<PlanContext, 'basis' | 'runs' | 'answers'> {
  const runs = history.consulted
  if (recorded?.timed) runs.add(recorded.runId)
  const basis: DryRunPlan['estimate']['basis'] =
    runs.size > 0 ? 'history' : fixtures === undefined ? 'default' : 'fixtures'
  return {
    basis,
    runs: runs.size,
    ...(recorded && { answers: { fromRun: recorded.runId, calls: recorded.calls } }),
  }
}
