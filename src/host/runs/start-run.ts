// From a caller's wish to a live run: script, args and back end are settled before anything is written or started.

import type { HostCalls } from '../../shared/index.ts'
import {
  systemClock,
  type HostHandle,
  type PreparedScript,
  type StartRunOptions,
  type WorkflowSource,
} from '../../engine/index.ts'
import type { Caller } from '../api/handlers.ts'
import { approveRun, type ApprovedRun } from '../approvals/approved-workflows.ts'
import type { HostContext } from '../context.ts'
import type { SessionIdentity } from '../host.ts'
import { createWorkflowSource } from '../workspace/workflow-source.ts'
import { loadFixturesFor } from '../backends/fixtures.ts'
import { chooseBackend, requireBackend } from './choose-backend.ts'
import { checkArgs } from './check-args.ts'
import { readArgs } from './read-args.ts'
import { endInLog } from './end-in-log.ts'
import { saveScript } from './saved-script.ts'
import { checkWorkspace, resolveSource } from './resolve-source.ts'
import {
  argsOf,
  resumeNotices,
  resumeOptions,
  settleWish,
  withRows,
  type RunWish,
  type StartWish,
} from './resume-run.ts'

/** Starts a run and answers once its first event is stored, so that whoever asked finds it. */
export async function startRun(
  asked: StartWish,
  caller: Pick<Caller, 'identity' | 'signal'>,
  context: HostContext,
): Promise<HostCalls['run.start']['result']> {
  const { identity } = caller
  const { engine, store, settings, backends, catalog, live, permissions } = context
  const { wish, earlier } = await settleWish(asked, context)
  await checkWorkspace(wish.workspace)
  const script = await engine.prepare(await resolveSource(wish.source, wish.workspace, catalog))
  const loaded = settings.read()
  const chosen = chooseBackend(wish.backend, loaded, settings.path)
  const clock = systemClock
  // A simulated back end answers from them in a live run too.
  const fixtures = await loadFixturesFor(script.source.path, undefined)
  const client = identity.kind === 'harness' ? identity.name : undefined
  const source = backends.forRun({ settings: loaded.settings, chosen, clock, fixtures, client })
  const backend = await requireBackend(source, chosen)
  const given = readArgs(asked.args, identity.kind)
  const args = argsOf(given.args, earlier)
  // What an earlier run was given was right for it.
  if (given.args !== undefined || earlier === undefined) await checkArgs(given.args, script.source.path, engine)
  const notices = [...given.notices, ...(earlier === undefined ? [] : await resumeNotices(asked, earlier, context))]
  context.checkRunning()
  const runId = context.ids.runId()
  const workflows = await allowedWorkflows({ runId, script, args }, wish.workspace, caller, context)
  context.checkRunning()
  await store.createRun({
    runId,
    workflow: script.meta.name,
    scriptHash: script.hash,
    scriptText: script.source.text,
    fileName: script.source.fileName,
  })
  context.checkRunning()
  context.records.begin(runId, identity)
  const handle = engine.start({
    runId,
    notices,
    script,
    ports: {
      backends: source,
      events: store.events,
      journal: earlier === undefined ? store.journal : withRows(store.journal, earlier),
      permissions,
      workflows,
      clock,
    },
    host: makeHostHandle(),
    workspace: wish.workspace,
    startedBy: describeStarter(identity),
    backend: chosen,
    // Made up answers stay made up, whoever answers what is left.
    simulated: backend.kind === 'simulated' || earlier?.info.simulated === true,
    dry: false,
    ...(args !== undefined && { args }),
    ...runLimits(wish, context),
    ...(earlier !== undefined && resumeOptions(earlier)),
  })
  live.add(handle)
  void handle.settled.then(() => {
    permissions.forget(runId)
    context.approvals.forget(runId)
    void context.records.end(runId)
    void endInLog(runId, context)
  })
  await store.events.flush(handle.id)
  if (identity.kind !== 'harness' || wish.source.kind !== 'text') return { runId }
  return { runId, scriptPath: await saveScript(context.options.dataDir, runId, script.source.text) }
}

/** What it may call; a harness's run waits for leave here. */
async function allowedWorkflows(
  run: Pick<ApprovedRun, 'runId' | 'script' | 'args'>,
  workspace: string,
  { identity, signal }: Pick<Caller, 'identity' | 'signal'>,
  { approvals, catalog, engine }: HostContext,
): Promise<WorkflowSource> {
  const workflows = createWorkflowSource(catalog, workspace)
  if (identity.kind !== 'harness') return workflows
  const readMeta = async (source: PreparedScript['source']) => (await engine.diagnose(source)).meta
  return approveRun({ ...run, identity, signal, approvals, workflows, readMeta })
}

/** What the caller set, else what the settings say, else the engine's defaults. */
export function runLimits(wish: RunWish, { settings }: HostContext): Partial<StartRunOptions> {
  const { settings: known } = settings.read()
  const limits: { [Name in keyof StartRunOptions]?: StartRunOptions[Name] | undefined } = {
    model: wish.model,
    budgetTokens: wish.budgetTokens,
    maxConcurrentAgents: wish.maxConcurrentAgents ?? known.maxConcurrentAgents,
    maxAgents: wish.maxAgents,
    title: wish.title,
    structuredOutputRetries: known.structuredOutputRetries,
    agentRetries: known.agentRetries,
    stallSeconds: known.stallSeconds,
  }
  // Without the undefined ones, each is of the type that its name has.
  return Object.fromEntries(
    Object.entries(limits).filter(([, value]) => value !== undefined),
  ) as Partial<StartRunOptions>
}

export function describeStarter({ kind, name }: SessionIdentity): StartRunOptions['startedBy'] {
  return { kind, ...(name !== undefined && { name }) }
}

/** Opaque to everyone but runners that know more than this version does. */
export function makeHostHandle(): HostHandle {
  // The symbol is only a mark of the type; no such value exists.
  return Object.freeze({}) as HostHandle
}
