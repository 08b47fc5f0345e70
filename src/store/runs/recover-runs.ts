// Ends the runs that a dead host left open. What was journalled before it died counts: such a call has ended as the journal
// says, even if the event that tells so was lost. Everything is dated at the last sign of life, so that durations stay true.

import {
  asAgentNumber,
  asCallKey,
  asCallPath,
  toPreview,
  type AgentState,
  type RunEvent,
  type RunEventPayloads,
  type RunEventType,
  type RunId,
  type RunState,
} from '../../shared/index.ts'
import type { JournalRow } from '../../engine/index.ts'
import type { CallQueries } from '../queries/call-queries.ts'
import type { EventQueries } from '../queries/event-queries.ts'
import type { RunQueries } from '../queries/run-queries.ts'
import type { RecoveryReport } from '../store.ts'
import type { EventLog } from './event-log.ts'
import type { Journal } from './journal.ts'
import { loadRun } from './load-run.ts'

export interface RecoveryParts {
  runs: RunQueries
  events: EventQueries
  calls: CallQueries
  log: EventLog
  journal: Journal
  /** Deletes runs that never began. */
  remove(runIds: RunId[]): Promise<void>
  /** Writes a row from the events that can be read. */
  repairRow(runId: RunId): Promise<unknown>
}

/** `now` in milliseconds since the epoch: when the death was found out. With `only`, that run alone, and why it ended. */
export async function recoverRuns(
  parts: RecoveryParts,
  now: number,
  only?: { runId: RunId; reason: string },
): Promise<RecoveryReport> {
  const report: RecoveryReport = { interrupted: [], removed: [], damaged: [] }
  const reason = only?.reason ?? `the host ended while the run was going; found at ${new Date(now).toISOString()}`
  for (const runId of only === undefined ? parts.runs.unended() : [only.runId]) {
    if (parts.log.isLive(runId)) continue
    const { state, lastAt, damage } = loadRun(parts.events, runId)
    const lost = state.info === undefined && parts.runs.row(runId) !== undefined
    if (damage !== undefined || lost) {
      await parts.repairRow(runId)
      report.damaged.push({ runId, message: damage ?? 'none of its events is left' })
    } else if (state.info === undefined) {
      report.removed.push(runId)
    } else if (state.endedAt !== undefined) {
      await parts.repairRow(runId)
    } else {
      await interrupt(parts, runId, state, lastAt, reason)
      report.interrupted.push(runId)
    }
  }
  await parts.remove(report.removed)
  return report
}

async function interrupt(
  parts: RecoveryParts,
  runId: RunId,
  state: RunState,
  at: number,
  reason: string,
): Promise<void> {
  const append = <Type extends RunEventType>(type: Type, payload: RunEventPayloads[Type]): void => {
    const seq = parts.log.open(runId).fold.state.seq + 1
    // The payload belongs to `type` by the signature; TypeScript can't carry that through the union.
    parts.log.append(runId, { seq, at, type, ...payload } as unknown as RunEvent)
  }
  const journalled = new Map<number, JournalRow>()
  for (const page of parts.calls.journalPages(runId)) for (const row of page) journalled.set(row.agent, row)
  const open = state.agents.filter((agent) => agent.endedAt === undefined)
  for (const agent of open) append('agent-ended', toEnd(agent, journalled.get(agent.agent), at))
  const closed = closeCalls(parts, runId, state, at)
  for (const { group, status } of state.groups) {
    if (status !== 'running') continue
    const error = { code: 'CANCELLED' as const, message: 'the host ended while this workflow was running' }
    append('workflow-ended', { group, outcome: 'failed', error })
  }
  append('run-ended', {
    outcome: 'interrupted',
    degraded: state.calls.failed > 0,
    reason,
    durationMs: Math.max(0, at - (state.startedAt ?? at)),
  })
  await Promise.all([parts.log.flush(runId), ...closed])
}

function toEnd(agent: AgentState, row: JournalRow | undefined, at: number): RunEventPayloads['agent-ended'] {
  const begun = agent.startedAt ?? agent.queuedAt
  const base = { agent: agent.agent, attempts: agent.attempt }
  const fits =
    row &&
    (row.outcome === 'completed'
      ? agent.startedAt !== undefined
      : agent.startedAt === undefined || row.outcome !== 'replayed')
  if (row === undefined || fits !== true) {
    const usage = row?.usage ?? agent.usage
    return { ...base, outcome: 'cancelled', durationMs: Math.max(0, at - begun), ...(usage && { usage }) }
  }
  const clean = row.outcome === 'completed' || row.outcome === 'replayed'
  const text = typeof row.result === 'string' ? row.result : JSON.stringify(row.result)
  return {
    ...base,
    outcome: row.outcome,
    durationMs: row.durationMs,
    ...(row.usage && { usage: row.usage }),
    ...(clean && { resultPreview: toPreview(text) }),
    ...(row.rejections !== undefined && { rejections: row.rejections }),
    ...(row.branch !== undefined && { branch: row.branch }),
    ...(row.outcome === 'failed' && {
      error: { message: 'the host ended before the reason was stored', failure: 'other' as const },
    }),
  }
}

/** Each call that was opened gets its closing row too. */
function closeCalls(parts: RecoveryParts, runId: RunId, state: RunState, at: number): Promise<void>[] {
  return parts.calls.openCalls(runId).map((call) => {
    const agent = state.agents[call.agent - 1]
    return parts.journal.closeCall(runId, {
      agent: asAgentNumber(call.agent),
      path: asCallPath(call.path),
      key: asCallKey(call.key),
      outcome: 'cancelled',
      result: null,
      usage: agent?.usage ?? null,
      durationMs: agent === undefined ? 0 : Math.max(0, at - (agent.startedAt ?? agent.queuedAt)),
      startedSeq: call.started_seq,
      origin: runId,
    })
  })
}
