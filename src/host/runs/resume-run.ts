// What a run takes from the earlier run that it goes on from: results to answer from, and whatever its caller left out.

import {
  asRunId,
  HostError,
  plural,
  type HostCalls,
  type JsonValue,
  type RunEventOf,
  type RunId,
} from '../../shared/index.ts'
import { findMissingBranches } from '../../agents/index.ts'
import type { JournalRow, JournalStore, StartRunOptions } from '../../engine/index.ts'
import type { HostContext } from '../context.ts'
import { declaresMeta, readScriptFile } from '../workspace/read-script.ts'

/** What a caller asks for. */
export type StartWish = HostCalls['run.start']['params']
/** The same with everything that a run needs. */
export type RunWish = Omit<HostCalls['run.dryRun']['params'], 'simulation'>

export interface EarlierRun {
  runId: RunId
  info: RunEventOf<'run-started'>
  scriptText: string
  /** Finished calls in the order in which they were started; at least one. */
  rows: readonly JournalRow[]
  /** How many finished calls have a result that can't be read any more. */
  lost: number
}

export interface SettledWish {
  wish: RunWish
  earlier: EarlierRun | undefined
}

/** Rejects with BAD_REQUEST when something is missing, and as `readEarlierRun` does. */
export async function settleWish(asked: StartWish, context: HostContext): Promise<SettledWish> {
  const { resumeFromRunId, workspace, source, without = [], ...rest } = asked
  if (resumeFromRunId !== undefined) {
    const earlier = leaveOut(without, await readEarlierRun(asRunId(resumeFromRunId), context))
    return { wish: completeWish(asked, earlier), earlier }
  }
  if (workspace !== undefined && source !== undefined)
    return { wish: { ...rest, workspace, source }, earlier: undefined }
  const violations = [
    ...(workspace === undefined ? ['workspace is missing'] : []),
    ...(source === undefined ? ['source is missing'] : []),
  ]
  throw new HostError({ code: 'BAD_REQUEST', message: `run.start: ${violations.join('; ')}`, violations })
}

/** Rejects with NOT_FOUND for an unknown run, with CONFLICT for one that nothing can be replayed from now. */
async function readEarlierRun(runId: RunId, { store, live }: HostContext): Promise<EarlierRun> {
  const row = store.readRow(runId)
  const script = store.readScript(runId)
  if (row === undefined || script === undefined)
    throw new HostError({ code: 'NOT_FOUND', message: `There is no run ${runId} to resume` })
  if (live.get(runId) !== undefined) throw refuse(runId, `it is still ${row.status}. Let it end, or cancel it first`)
  const [info] = store.readEvents(runId, 1, 1)
  if (info?.type !== 'run-started') throw refuse(runId, 'what it was started with can not be read any more')
  if (info.dry) throw refuse(runId, 'it was a dry run, whose answers are made up')
  const rows = await store.journal.readReplayable(runId)
  const lost = Math.max(0, row.calls.completed + row.calls.replayed - rows.length)
  if (rows.length === 0 && lost > 0)
    throw refuse(runId, `its ${plural(lost, 'result')} are damaged and can't be read. Run it anew`)
  if (rows.length === 0) throw refuse(runId, 'no agent of it has finished, so there is nothing to replay. Run it anew')
  return { runId, info, scriptText: script.text, rows, lost }
}

function refuse(runId: RunId, why: string): HostError {
  return new HostError({ code: 'CONFLICT', message: `Run ${runId} can't be resumed: ${why}` })
}

/** The earlier run as if it had been given no args, or no budget. */
function leaveOut(without: NonNullable<StartWish['without']>, earlier: EarlierRun): EarlierRun {
  const { args, budgetTokens, ...info } = earlier.info
  const kept = {
    ...info,
    budgetTokens: without.includes('budget') ? null : budgetTokens,
    ...(args !== undefined && !without.includes('args') && { args }),
  }
  return { ...earlier, info: kept }
}

function completeWish(
  { resumeFromRunId: _runId, without: _without, ...asked }: StartWish,
  { info, scriptText }: EarlierRun,
): RunWish {
  const { scriptPath, fileName, meta } = info
  const earlierSource = {
    kind: 'text' as const,
    text: scriptText,
    fileName,
    ...(scriptPath !== null && { path: scriptPath }),
    // A body that was run with its meta as data has none of its own.
    ...(!declaresMeta(scriptText) && { meta }),
  }
  return {
    ...(info.args !== undefined && { args: info.args }),
    backend: info.backend,
    // Another back end would not know the model.
    ...(info.model !== undefined && asked.backend === undefined && { model: info.model }),
    ...(info.budgetTokens !== null && { budgetTokens: info.budgetTokens }),
    ...(info.title !== undefined && { title: info.title }),
    maxConcurrentAgents: info.maxConcurrentAgents,
    maxAgents: info.maxAgents,
    ...asked,
    workspace: asked.workspace ?? info.workspace,
    source: asked.source ?? earlierSource,
  }
}

/** How the engine is told to answer from it. */
export function resumeOptions({ runId, info }: EarlierRun): Pick<StartRunOptions, 'resumeFrom' | 'lineage'> {
  return { resumeFrom: runId, lineage: info.lineage }
}

/** A journal whose replayable rows have been read already: a long one is not read twice. */
export function withRows(journal: JournalStore, { rows }: Pick<EarlierRun, 'rows'>): JournalStore {
  return {
    openCall: (runId, call) => journal.openCall(runId, call),
    closeCall: (runId, row) => journal.closeCall(runId, row),
    saveResult: (runId, result) => journal.saveResult(runId, result),
    readReplayable: () => Promise.resolve([...rows]),
  }
}

type Notice = { code: string; message: string }

/** What whoever resumes should know although nobody asked. */
export async function resumeNotices(asked: StartWish, earlier: EarlierRun, context: HostContext): Promise<Notice[]> {
  const changed = await noteChangedScript(asked, earlier)
  return [...noteLostResults(earlier), ...changed, ...(await noteLostBranches(earlier, context))]
}

function noteLostResults({ runId, lost }: EarlierRun): Notice[] {
  if (lost === 0) return []
  const message = `${plural(lost, 'result')} of run ${runId} can't be read, because the database was damaged: those calls run again`
  return [{ code: 'resume/results-lost', message }]
}

/** An answer that is replayed does not bring back the files that came with it. */
async function noteLostBranches({ info, rows }: EarlierRun, { git }: HostContext): Promise<Notice[]> {
  const kept = rows.flatMap(({ agent, branch }) => (branch === undefined ? [] : [{ agent, branch }]))
  const names = kept.map(({ branch }) => branch)
  const missing = new Set(await findMissingBranches(git, info.workspace, names))
  return kept
    .filter(({ branch }) => missing.has(branch))
    .map(({ agent, branch }) => ({
      code: 'resume/branch-gone',
      message: `what agent ${agent} changed was on the branch ${branch}, which is gone: its answer is replayed without its files`,
    }))
}

/** Says so where the earlier run's text is used although its file holds another one by now. */
async function noteChangedScript(asked: StartWish, { info, scriptText, runId }: EarlierRun): Promise<Notice[]> {
  if (asked.source !== undefined || info.scriptPath === null) return []
  const now = await readScriptFile(info.scriptPath).catch(() => undefined)
  if (now === undefined || now === scriptText) return []
  const message = `${info.scriptPath} has changed since run ${runId}: the script is used as it was then, unless the file is named`
  return [{ code: 'resume/script-changed', message }]
}

/** The args of the run: those given, else those of the earlier run. */
export function argsOf(given: JsonValue | undefined, earlier: EarlierRun | undefined): JsonValue | undefined {
  return given === undefined ? earlier?.info.args : given
}
