// Tools that look at runs: status, wait, result.

import {
  asAgentNumber,
  asRunId,
  HostError,
  toPreview,
  type JsonValue,
  type RunRow,
  type RunState,
} from '../../shared/index.ts'
import { pageOf, resolvePointer } from '../results/pages.ts'
import { toShownJson } from '../results/envelope-text.ts'
import { succeed, type ToolResult } from '../results/tool-result.ts'
import type { CallContext, ToolHandler } from './call-context.ts'
import { InputError, present, readInput } from './read-input.ts'
import { describeProgress, settleRun } from './settle.ts'

const LISTED_RUNS = 50
const SHOWN_LOG_LINES = 10
const SHOWN_AGENTS = 20

export const waitForRun: ToolHandler = async (given, context) => {
  const input = readInput(given, { runId: 'string', seconds: 'number' }, ['runId'])
  const { session } = context
  const runId = present(input.runId)
  const limitMs = Math.min(context.limitMs, input.seconds === undefined ? Infinity : input.seconds * 1000)
  const until = Date.now() + limitMs
  const pending = session.pending.get(asRunId(runId))
  if (pending !== undefined) {
    const started = await within(pending.started, limitMs, context.signal)
    if (!started) return waitingResult(runId)
  }
  const row = await session.requireRow(runId)
  return settleRun(row.runId, context, until - Date.now())
}

/** False after `ms` or when the call is aborted. Rejects as the start does. */
async function within(start: Promise<unknown>, ms: number, signal: AbortSignal): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  let stop = (): void => {}
  const late = new Promise<boolean>((resolve) => {
    stop = () => resolve(false)
    if (ms !== Infinity) timer = setTimeout(stop, ms)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([start.then(() => true), late])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

function waitingResult(runId: string): ToolResult {
  const text = `Run ${runId} is waiting for approval in Weft: nothing has been started. Ask the user to answer there, then call workflow_wait again.`
  return succeed([text], { runId, status: 'waiting', next: text })
}

export const showStatus: ToolHandler = async (given, context) => {
  const { runId } = readInput(given, { runId: 'string' })
  if (runId === undefined) return listOwnRuns(context)
  const { session } = context
  if (session.pending.has(asRunId(runId))) return waitingResult(runId)
  const row = await session.requireRow(runId)
  const state = await session.view(row.runId).refresh()
  const facts = describeRun(row, state)
  return succeed([describeInWords(facts)], facts)
}

type RunFacts = ReturnType<typeof describeRun>

// Never the result of a running one: what it is may still change.
function describeRun(row: RunRow, state: RunState) {
  const running = state.agents.filter(({ status }) => status === 'running')
  return {
    runId: row.runId,
    workflow: row.workflow,
    status: state.status === 'queued' ? row.status : state.status,
    degraded: state.degraded,
    progress: describeProgress(state),
    agents: { ...state.calls, running: state.running, queued: state.queued, total: state.agents.length },
    phases: state.phases.map(({ title, startedAt }) => {
      const own = state.agents.filter(({ phase }) => phase === title)
      const done = own.filter(({ endedAt }) => endedAt !== undefined).length
      return { title, started: startedAt !== undefined, agents: own.length, done }
    }),
    runningAgents: running
      .slice(0, SHOWN_AGENTS)
      .map(({ agent, label, activity }) => ({ agent, label, ...(activity !== undefined && { activity }) })),
    log: state.log.slice(-SHOWN_LOG_LINES).map(({ message }) => toPreview(message)),
    warnings: state.warnings.slice(-SHOWN_LOG_LINES).map(({ message }) => toPreview(message)),
    usage: state.usage,
    ...(state.paused !== undefined && { paused: state.paused }),
    ...(state.error !== undefined && { error: state.error.message }),
    ...(row.endedAt !== null && { next: `Call workflow_wait or workflow_result with runId "${row.runId}".` }),
  }
}

function describeInWords(facts: RunFacts): string {
  const { agents, usage } = facts
  const lines = [
    `Run ${facts.runId} ("${facts.workflow}"): ${facts.status}${facts.degraded ? ', degraded' : ''}`,
    facts.progress,
    `Agents: ${agents.running} running, ${agents.queued} queued, ${agents.completed} completed, ${agents.replayed} replayed, ${agents.failed} failed, ${agents.skipped} skipped, ${agents.cancelled} cancelled`,
    ...facts.phases.map(({ title, started, done, agents: count }) =>
      started || count > 0 ? `Phase ${title}: ${done} of ${count} done` : `Phase ${title}: not begun`,
    ),
    ...facts.runningAgents.map(({ agent, label, activity }) => `Agent ${agent} (${label}): ${activity ?? 'running'}`),
    ...facts.log.map((line) => `Log: ${line}`),
    ...facts.warnings.map((line) => `Warning: ${line}`),
    `Usage: ${usage.outputTokens} output tokens, ${usage.inputTokens} input tokens`,
    ...(facts.paused === undefined ? [] : [`Paused: ${facts.paused.reason}`]),
    ...(facts.error === undefined ? [] : [`Error: ${facts.error}`]),
    ...(facts.next === undefined ? [] : [facts.next]),
  ]
  return lines.join('\n')
}

async function listOwnRuns({ session }: CallContext): Promise<ToolResult> {
  const { runs } = await session.host.call('run.list', { startedBy: 'harness', limit: 1000 })
  const own = runs.filter((row) => session.sees(row)).slice(0, LISTED_RUNS)
  const facts = own.map(({ runId, workflow, title, status, degraded, agents }) => ({
    runId,
    workflow,
    title,
    status,
    degraded,
    agents,
  }))
  const waiting = [...session.pending.keys()].map((runId) => ({ runId, status: 'waiting' }))
  const lines = [
    ...waiting.map(({ runId }) => `${runId}: waiting for approval in Weft`),
    ...facts.map(
      ({ runId, workflow, status, degraded, agents }) =>
        `${runId} "${workflow}": ${status}${degraded ? ', degraded' : ''}, ${agents} agents`,
    ),
  ]
  return succeed([lines.join('\n') || 'No runs.'], { runs: [...waiting, ...facts] })
}

const RESULT_FIELDS = {
  runId: 'string',
  agent: 'count',
  pointer: 'any',
  offset: 'offset',
  limit: 'count',
} as const

export const readResult: ToolHandler = async (given, context) => {
  const { session, settings } = context
  const input = readInput(given, RESULT_FIELDS, ['runId'])
  const { agent, pointer = '', offset = 0, limit = settings.maxResultChars } = input
  if (pointer !== null && typeof pointer !== 'string') throw new InputError(['pointer has to be a string'])
  const { runId } = await session.requireRow(present(input.runId))
  const whole = await (agent === undefined ? runResult(runId, context) : agentResult(runId, agent, context))
  const part = resolvePointer(whole, pointer ?? '')
  if ('problem' in part) throw new InputError([part.problem])
  const page = pageOf(toShownJson(part.value), offset, Math.min(limit, settings.maxResultChars))
  const next =
    page.nextOffset === null
      ? undefined
      : `UTF-16 units ${page.offset} to ${page.nextOffset} of ${page.total}. Call workflow_result with offset ${page.nextOffset} for more.`
  return succeed(next === undefined ? [page.text] : [page.text, next], { runId, ...page, ...(next && { next }) })
}

async function runResult(runId: RunRow['runId'], { session }: CallContext): Promise<JsonValue> {
  const { settled, json } = await session.host.call('run.result', { runId })
  if (!settled)
    throw new HostError({
      code: 'CONFLICT',
      message: `Run ${runId} has no result yet: it is still running. Call workflow_wait with its runId`,
    })
  if (json !== null) {
    // What the store holds is JSON.
    return JSON.parse(json) as JsonValue
  }
  const { row } = await session.host.call('run.get', { runId })
  if (row.status === 'completed') return null
  throw new HostError({ code: 'NOT_FOUND', message: `Run ${runId} has no result: ${row.error ?? row.status}` })
}

async function agentResult(runId: RunRow['runId'], number: number, { session }: CallContext): Promise<JsonValue> {
  const agent = asAgentNumber(number)
  const call = await session.host.call('run.call', { runId, agent })
  if (call.outcome === null)
    throw new HostError({ code: 'CONFLICT', message: `Agent ${number} of run ${runId} has not ended yet` })
  return call.result
}
