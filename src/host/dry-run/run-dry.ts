// A dry run: the real engine with simulated agents on virtual time. Nothing is stored, no process is started, no file is
// written; what it reads are scripts and fixtures.

import { HostError, toRunEnvelope, type HostCalls } from '../../shared/index.ts'
import { createVirtualClock } from '../../engine/index.ts'
import type { Caller } from '../api/handlers.ts'
import { loadFixturesFor } from '../backends/fixtures.ts'
import type { HostContext } from '../context.ts'
import { defaultBackend, requireKnown } from '../runs/choose-backend.ts'
import { readArgs } from '../runs/read-args.ts'
import { checkWorkspace, resolveSource } from '../runs/resolve-source.ts'
import { REFUSE_ALL } from '../runs/run-permissions.ts'
import { describeStarter, makeHostHandle, runLimits } from '../runs/start-run.ts'
import { createWorkflowSource } from '../workspace/workflow-source.ts'
import { MemoryStore } from './memory-store.ts'
import { planDryRun } from './plan.ts'

type DryRun = HostCalls['run.dryRun']

/** Runs to the end; a caller that goes away ends it. */
export async function runDry(wish: DryRun['params'], caller: Caller, context: HostContext): Promise<DryRun['result']> {
  const { engine, settings, backends, catalog } = context
  await checkWorkspace(wish.workspace)
  const script = await engine.prepare(await resolveSource(wish.source, wish.workspace, catalog))
  const loaded = settings.read()
  const chosen = wish.backend ?? defaultBackend(loaded)
  const simulation = wish.simulation ?? {}
  const fixtures = await loadFixturesFor(script.source.path, simulation.fixturesPath)
  const clock = createVirtualClock(Date.now())
  const source = backends.forDryRun({
    settings: loaded.settings,
    chosen,
    clock,
    fixtures,
    simulation,
  })
  requireKnown(source, chosen)
  const { args, notices } = readArgs(wish.args, caller.identity.kind)
  const memory = new MemoryStore()
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
      permissions: REFUSE_ALL,
      workflows: createWorkflowSource(catalog, wish.workspace),
      clock,
    },
    host: makeHostHandle(),
    workspace: wish.workspace,
    startedBy: describeStarter(caller.identity),
    backend: chosen,
    simulated: true,
    dry: true,
    ...(args !== undefined && { args }),
    ...runLimits(wish, context),
  })
  const leave = (): void => handle.cancel('the client went away')
  caller.signal.addEventListener('abort', leave)
  const { result } = await handle.settled.finally(() => caller.signal.removeEventListener('abort', leave))
  return {
    envelope: toRunEnvelope(memory.state, result),
    events: memory.events,
    plan: planDryRun(memory.events, {
      callSites: script.callSites,
      basis: fixtures === undefined ? 'default' : 'fixtures',
      runs: 0,
    }),
  }
}
