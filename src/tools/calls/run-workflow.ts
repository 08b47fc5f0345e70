// The main tool: starts a run and, by default, waits for its end.

import { basename } from 'node:path'
import { HostError, type HostCalls, type RunId, type ToolHostSession } from '../../shared/index.ts'
import { waitHint } from '../results/envelope-text.ts'
import { fail, succeed, type ToolResult } from '../results/tool-result.ts'
import type { CallContext, ToolHandler } from './call-context.ts'
import { InputError, readInput } from './read-input.ts'
import { settleRun } from './settle.ts'

export const SOURCE_FIELDS = {
  script: 'string',
  scriptPath: 'string',
  name: 'string',
  meta: 'any',
  args: 'any',
  budgetTokens: 'count',
  backend: 'string',
  maxAgents: 'count',
} as const

const FIELDS = {
  ...SOURCE_FIELDS,
  resumeFromRunId: 'string',
  background: 'boolean',
  title: 'string',
  description: 'string',
} as const

type StartParams = HostCalls['run.start']['params']
type Source = NonNullable<StartParams['source']>
type SourceInput = ReturnType<typeof readInput<typeof SOURCE_FIELDS>>

const WAITS = 'waiting for approval in Weft'
const APPROVAL_PROGRESS_MS = 10_000
const TITLE_UNITS = 200

export const runWorkflow: ToolHandler = async (given, context) => {
  const { session } = context
  refuseNested(context)
  const input = readInput(given, FIELDS)
  const source = readSource(input)
  if (source === undefined && input.resumeFromRunId === undefined)
    throw new InputError(['one of script, scriptPath, name is needed'])
  if (input.resumeFromRunId !== undefined) await session.requireRow(input.resumeFromRunId)
  const refusal = await refuseBackend(input.backend, context)
  if (refusal !== undefined) return refusal
  const title = input.title ?? input.description
  const begun = Date.now()
  const start = startRun(
    {
      workspace: session.workspace,
      ...(source !== undefined && { source }),
      ...('args' in input && { args: input.args }),
      ...(input.resumeFromRunId !== undefined && { resumeFromRunId: input.resumeFromRunId }),
      ...(input.backend !== undefined && { backend: input.backend }),
      ...readLimits(input, context),
      ...(title !== undefined && { title: title.slice(0, TITLE_UNITS) }),
    },
    context,
  )
  const limitMs = input.background === true ? Math.min(context.limitMs, APPROVAL_PROGRESS_MS) : context.limitMs
  const early = await start.within(limitMs)
  if (early !== undefined) return early
  const { runId, scriptPath } = await start.started
  if (input.background === true) return backgroundResult(runId, scriptPath, context)
  const result = await settleRun(runId, context, context.limitMs - (Date.now() - begun))
  if (context.signal.aborted && !context.hasDisconnected()) await cancelRun(runId, context)
  // A run that outlasts its call is told of when it ends, as those in the background are.
  else if (result.structuredContent?.['status'] === 'running') await noteEnd(runId, context)
  return result
}

/** Agents of a run have no business starting further ones. */
export function refuseNested({ session, settings }: CallContext): void {
  if (session.depth === 0) return
  throw new HostError({
    code: 'NOT_ALLOWED',
    message: `${settings.toolName} can't be used by an agent that a workflow started (depth ${session.depth}): do the work yourself, or leave it to the workflow`,
  })
}

/** scriptPath goes before script before name. Undefined when none is given. */
export function readSource({ script, scriptPath, name, meta }: SourceInput): Source | undefined {
  if (scriptPath !== undefined) return { kind: 'path', path: scriptPath }
  if (script !== undefined)
    return { kind: 'text', text: script, fileName: 'script.js', ...(meta !== undefined && meta !== null && { meta }) }
  return name === undefined ? undefined : { kind: 'name', name: basename(name) === name ? name : name.trim() }
}

/** What is asked for may only lower what the settings allow. Throws InputError. */
export function readLimits(
  { budgetTokens, maxAgents }: Pick<SourceInput, 'budgetTokens' | 'maxAgents'>,
  { settings }: CallContext,
): { budgetTokens?: number; maxAgents?: number } {
  const asked = { budgetTokens, maxAgents }
  const violations: string[] = []
  const limits: { budgetTokens?: number; maxAgents?: number } = {}
  for (const name of ['budgetTokens', 'maxAgents'] as const) {
    const most = settings[name]
    const wanted = asked[name] ?? most
    if (wanted === undefined) continue
    if (most !== undefined && wanted > most)
      violations.push(`${name} may be at most ${most}, as the settings of Weft say, not ${wanted}`)
    limits[name] = wanted
  }
  if (violations.length > 0) throw new InputError(violations)
  return limits
}

/** Why the wished back end can't be had by this caller. */
export async function refuseBackend(
  backend: string | undefined,
  { session, settings }: CallContext,
): Promise<ToolResult | undefined> {
  const { backends, harnessBackends } = settings
  if (backend !== undefined && backends !== undefined && !backends.includes(backend))
    throw new InputError([
      `backend may be ${backends.join(', ') || 'nothing'}, as the settings of Weft say, not ${backend}`,
    ])
  const chosen = backend ?? (await defaultBackend(session.host))
  const clients = harnessBackends.get(chosen)
  if (chosen !== 'harness' && clients === undefined) return undefined
  const client = session.clientName ?? 'this client'
  if (clients?.includes(client)) return undefined
  return fail([`Error: workflow tool requires a calling agent (${client} has no agent back end configured)`])
}

async function defaultBackend(host: ToolHostSession): Promise<string> {
  const { backends } = await host.call('backends.list', {})
  return backends.find(({ isDefault }) => isDefault)?.id ?? ''
}

interface Start {
  started: Promise<{ runId: RunId; scriptPath: string | null }>
  /** The call's answer when nothing was started before `ms`: it waits for leave. Rejects as the start does. */
  within(ms: number): Promise<ToolResult | undefined>
}

/** A start of its own line, so that it can be given up while it waits for leave. */
function startRun(params: StartParams, context: CallContext): Start {
  const { session, signal } = context
  const line = session.openStarter()
  let waiting: { runId: RunId; name: string } | undefined
  let tellWaiting: NodeJS.Timeout | undefined
  let abandoned = false
  line.on('approval.asked', ({ approval }) => {
    const { runId } = approval
    if (waiting !== undefined) return
    waiting = { runId, name: approval.workflow }
    const pending = started.then((found) => found.runId)
    // Who waits for it hears of its failure; often nobody does.
    pending.catch(() => {})
    session.pending.set(runId, { started: pending })
    context.progress(WAITS)
    tellWaiting = setInterval(() => context.progress(WAITS), APPROVAL_PROGRESS_MS)
  })
  const giveUp = (): void => line.close()
  signal.addEventListener('abort', giveUp)
  const started = line.call('run.start', params).then(
    async ({ runId, scriptPath = null }) => {
      session.claim(runId)
      if (abandoned) {
        session.addNote(`Run ${runId} ("${waiting?.name}") was approved in Weft and is running.`)
        session.noteEnd(runId, waiting?.name ?? 'workflow')
      }
      return { runId, scriptPath }
    },
    (error: unknown) => {
      if (abandoned) session.addNote(`Run ${waiting?.runId} ("${waiting?.name}") was not started: ${String(error)}`)
      throw error
    },
  )
  const settled = started.finally(() => {
    clearInterval(tellWaiting)
    signal.removeEventListener('abort', giveUp)
    if (waiting !== undefined) session.pending.delete(waiting.runId)
    line.close()
  })
  // Who waits for it hears of its failure by `started`.
  settled.catch(() => {})
  return {
    started,
    async within(ms) {
      const late = Symbol('late')
      let timer: NodeJS.Timeout | undefined
      const limit = new Promise<typeof late>((resolve) => {
        if (ms !== Infinity) timer = setTimeout(resolve, Math.max(0, ms), late)
      })
      const first = await Promise.race([started, limit]).finally(() => clearTimeout(timer))
      // A start that is merely slow has no approval to wait for.
      if (first !== late || waiting === undefined) return undefined
      abandoned = true
      signal.removeEventListener('abort', giveUp)
      clearInterval(tellWaiting)
      const { runId, name } = waiting
      const next = `The user has to answer in Weft whether it may run. Call workflow_wait with runId "${runId}" to wait for that and for its result.`
      return succeed([`workflow "${name}" is ${WAITS}: nothing has been started. ${next}`], {
        runId,
        status: 'waiting',
        next,
      })
    },
  }
}

async function backgroundResult(runId: RunId, scriptPath: string | null, context: CallContext): Promise<ToolResult> {
  const name = await noteEnd(runId, context)
  const saved =
    scriptPath === null ? '' : `\nIts script is at ${scriptPath}: an edited copy can be run with scriptPath.`
  const text = `workflow "${name}" runs in the background as run ${runId}.${saved}\n${waitHint(runId)}`
  return succeed([text], { runId, scriptPath, status: 'running', next: waitHint(runId) })
}

async function noteEnd(runId: RunId, { session }: CallContext): Promise<string> {
  const { row } = await session.host.call('run.get', { runId })
  session.noteEnd(runId, row.workflow)
  return row.workflow
}

async function cancelRun(runId: RunId, { session }: CallContext): Promise<void> {
  await session.host
    .call('run.cancel', { runId, reason: 'cancelled by the client' })
    .catch((error: unknown) => session.logger.debug(`Run ${runId} could not be cancelled`, { error }))
}
