// Waits for a run as long as its client may, and says what became of it.

import { HostError, type JsonValue, type RunId, type RunState } from '../../shared/index.ts'
import {
  completedText,
  cutJson,
  degradedText,
  failureText,
  nameOf,
  resumeHint,
  toShownJson,
  waitHint,
} from '../results/envelope-text.ts'
import { fail, succeed, type ToolResult } from '../results/tool-result.ts'
import type { CallContext } from './call-context.ts'

const PROGRESS_MS = 10_000
/** Changes come in bursts; a client is told of them once in a while. */
const BURST_MS = 500
const SETTLE_POLL_MS = 5

/** Answers at the run's end, at a limit's pause, or after `limitMs`. Rejects only as the host does. */
export async function settleRun(runId: RunId, context: CallContext, limitMs: number): Promise<ToolResult> {
  const { session } = context
  const view = session.view(runId)
  const news = watchRow(runId, context)
  const until = Date.now() + limitMs
  const progress = new Progress(context)
  try {
    for (;;) {
      // One look after the other, each after a change.
      // oxlint-disable no-await-in-loop
      const state = await view.refresh()
      if (state.endedAt !== undefined) return await endedResult(state, context)
      if (state.status === 'paused' && state.paused?.by === 'limit') return pausedResult(state, runId)
      if (context.signal.aborted || Date.now() >= until) return runningResult(state, runId)
      const nextTold = progress.tell(describeProgress(state))
      await news.next(Math.min(nextTold, until - Date.now()))
      // oxlint-enable no-await-in-loop
    }
  } finally {
    news.stop()
  }
}

/** Tells the client what is new, at most once in a burst, and at least as often as it needs a sign of life. */
class Progress {
  readonly #context: CallContext
  #told = 0
  #message: string | undefined

  constructor(context: CallContext) {
    this.#context = context
  }

  /** Answers after how many milliseconds there is something to tell again, if nothing happens before. */
  tell(message: string): number {
    const since = Date.now() - this.#told
    const due = message === this.#message ? PROGRESS_MS : BURST_MS
    if (since < due) return due - since
    this.#told = Date.now()
    this.#message = message
    this.#context.progress(message)
    return PROGRESS_MS
  }
}

interface News {
  /** Resolves after the run's row has changed, the call was aborted, or `ms`. */
  next(ms: number): Promise<void>
  stop(): void
}

function watchRow(runId: RunId, { session, signal }: CallContext): News {
  let changed = false
  let wake = (): void => {}
  const ring = (): void => {
    changed = true
    wake()
  }
  const stopRows = session.onRow((row) => {
    if (row.runId === runId) ring()
  })
  signal.addEventListener('abort', ring)
  return {
    async next(ms) {
      if (!changed) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.max(0, ms))
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      changed = false
    },
    stop() {
      stopRows()
      signal.removeEventListener('abort', ring)
    },
  }
}

/** The phase it is in, and how many of the agents known so far are done. */
export function describeProgress(state: RunState): string {
  const done = state.agents.filter(({ endedAt }) => endedAt !== undefined).length
  const phase = state.agents.filter(({ status }) => status === 'running').at(-1)?.phase ?? lastPhase(state)
  const agents = `${done} of ${state.agents.length} agents done`
  const status = state.status === 'paused' ? ' (paused)' : ''
  return `${phase === undefined ? '' : `${phase}: `}${agents}${status}`
}

function lastPhase({ phases }: RunState): string | undefined {
  return phases.filter(({ startedAt }) => startedAt !== undefined).at(-1)?.title
}

async function endedResult(state: RunState, context: CallContext): Promise<ToolResult> {
  const { session, settings } = context
  const runId = state.info?.runId
  if (runId === undefined) throw new HostError({ code: 'INTERNAL', message: 'The run has no beginning' })
  const json = await readSettledResult(runId, context)
  session.forgetEnd(runId)
  const card = await readCard(runId, state, context)
  const facts = { runId, agentsStarted: state.agentsStarted }
  if (state.status !== 'completed') {
    const text = failureText(state)
    const hint = resumeHint(runId, settings.toolName)
    const structured = { ...facts, result: null, status: state.status, error: text, next: hint }
    return { ...fail([text, hint], structured), _meta: card }
  }
  // What the store holds of a result is JSON.
  const result = json === null ? null : (JSON.parse(json) as JsonValue)
  const { text, omitted } = cutJson(toShownJson(result), settings.maxResultChars)
  const degraded = degradedText(state)
  const rest = `The return value was cut. Call workflow_result with runId "${runId}" for the rest, in pages or parts.`
  const whole = (json?.length ?? 0) <= settings.maxStructuredChars
  const structured = {
    ...facts,
    result: whole ? result : null,
    ...(!whole && { truncated: true, next: rest }),
    ...(state.degraded && { degraded: true, calls: state.calls, warning: degraded }),
  }
  const texts = [completedText(state, text), ...(degraded === undefined ? [] : [degraded])]
  return { ...succeed(omitted > 0 ? [...texts, rest] : texts, structured), _meta: card }
}

/** The result once the run is cleaned up: its last event is stored a moment before that. */
async function readSettledResult(runId: RunId, { session }: CallContext): Promise<string | null> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each look comes after a pause
    const { settled, json } = await session.host.call('run.result', { runId })
    if (settled) return json
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, SETTLE_POLL_MS))
  }
}

/** How a harness that knows Weft shows the call. */
async function readCard(runId: RunId, state: RunState, { session }: CallContext): Promise<{ [key: string]: unknown }> {
  const { text } = await session.host.call('run.script', { runId })
  return { 'weft/card': { title: `workflow: ${nameOf(state)}`, rawInput: text } }
}

function pausedResult(state: RunState, runId: RunId): ToolResult {
  const { reason = 'no reason given', until } = state.paused ?? {}
  const when = until === undefined ? '' : ` It goes on by itself at ${new Date(until).toISOString()}.`
  const text = `Run ${runId} is paused: ${reason}.${when}`
  const next = `Call workflow_continue with runId "${runId}" once the reason is gone, workflow_wait to wait for it, or workflow_cancel to end it.`
  return succeed([text, next], { runId, status: 'paused', reason, agentsStarted: state.agentsStarted, next })
}

function runningResult(state: RunState, runId: RunId): ToolResult {
  const next = waitHint(runId)
  const progress = describeProgress(state)
  return succeed([`${next}\n${progress}`], {
    runId,
    status: state.status === 'queued' ? 'running' : state.status,
    agentsStarted: state.agentsStarted,
    progress,
    next,
  })
}
