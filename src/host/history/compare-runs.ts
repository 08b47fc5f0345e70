// Two runs side by side. Calls are read pair by pair, with a rest now and then, so that long runs don't hold up the host.

import {
  canonicalJson,
  EMPTY_RUN,
  foldRunAll,
  HostError,
  type AgentCallRecord,
  type AgentState,
  type AgentStatus,
  type CallFate,
  type ComparedCall,
  type ComparedTotals,
  type FieldChange,
  type JsonValue,
  type RunComparison,
  type RunEventOf,
  type RunId,
  type RunRow,
  type RunState,
  type ScriptHash,
} from '../../shared/index.ts'
import type { Store } from '../../store/index.ts'
import { compareCalls, describeChange } from '../resume-plan/explain.ts'
import { compareValues } from './compare-values.ts'
import { matchCalls, type CallMatch } from './match-calls.ts'

type Reads = Pick<Store, 'readRow' | 'readEvents' | 'lastSeq' | 'readScript' | 'readCall' | 'readResultJson'>

/** Longer results (UTF-16 units of JSON) that differ are told as one change, not walked through. */
const WALKED_UNITS = 8_000_000
/** Calls that are compared without a rest. */
const SLICE = 50

interface Side {
  row: RunRow
  state: RunState
  info: RunEventOf<'run-started'> | undefined
  hash: ScriptHash
}

/** Rejects with NOT_FOUND. */
export async function compareRuns(a: RunId, b: RunId, store: Reads): Promise<RunComparison> {
  const [left, right] = [readSide(a, store), readSide(b, store)]
  const calls: ComparedCall[] = []
  const matches = matchCalls(left.state.agents, right.state.agents)
  for (const [index, match] of matches.entries()) {
    calls.push(compareMatch(match, a, b, store))
    // oxlint-disable-next-line no-await-in-loop -- the others have their turn between two slices
    if (index % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const fates: Record<CallFate, number> = { same: 0, changed: 0, added: 0, removed: 0, moved: 0 }
  for (const { fate } of calls) fates[fate]++
  return {
    a: left.row,
    b: right.row,
    script: { same: left.hash === right.hash, a: left.hash, b: right.hash },
    inputs: compareInputs(left, right),
    result: compareResults(store.readResultJson(a), store.readResultJson(b)),
    totals: { a: toTotals(left), b: toTotals(right) },
    calls,
    fates,
  }
}

function readSide(runId: RunId, store: Reads): Side {
  const row = store.readRow(runId)
  const script = store.readScript(runId)
  if (row === undefined || script === undefined)
    throw new HostError({ code: 'NOT_FOUND', message: `There is no run ${runId}` })
  const state = foldRunAll(EMPTY_RUN, store.readEvents(runId, 1, store.lastSeq(runId)))
  const [info] = store.readEvents(runId, 1, 1)
  return { row, state, info: info?.type === 'run-started' ? info : undefined, hash: script.hash }
}

const INPUTS = ['args', 'backend', 'model', 'budgetTokens', 'maxConcurrentAgents', 'maxAgents', 'workspace'] as const

function compareInputs({ info: a }: Side, { info: b }: Side): FieldChange[] {
  return INPUTS.flatMap((name) => {
    const [before, after] = [toText(a?.[name]), toText(b?.[name])]
    return before === after ? [] : [describeChange(name, before, after)]
  })
}

function toText(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : canonicalJson(value)
}

function compareResults(a: string | null, b: string | null): RunComparison['result'] {
  if (a === b) return { same: true, changes: [], more: 0 }
  if ((a?.length ?? 0) + (b?.length ?? 0) <= WALKED_UNITS) return compareValues(parse(a), parse(b))
  const { before, after } = describeChange('result', a, b)
  return { same: false, changes: [{ pointer: '', before, after }], more: 0 }
}

// The store keeps what had been checked to be JSON.
const parse = (json: string | null): JsonValue | undefined =>
  json === null ? undefined : (JSON.parse(json) as JsonValue)

function toTotals({ row, state }: Side): ComparedTotals {
  const { startedAt, endedAt, outputTokens, costUsd, agents, calls } = row
  const durationMs = endedAt === null ? null : endedAt - startedAt
  return { durationMs, outputTokens, costUsd, unpricedAgents: state.usage.unpricedAgents, agents, calls }
}

function compareMatch({ a, b, fate }: CallMatch, runA: RunId, runB: RunId, store: Reads): ComparedCall {
  const changes = a === undefined || b === undefined ? [] : listChanges(a, b, fate, runA, runB, store)
  // One of both is there: a match is made from a call.
  const shown = (b ?? a) as AgentState
  return {
    path: shown.path,
    ...(fate === 'moved' && a !== undefined && { movedFrom: a.path }),
    label: shown.label,
    phase: shown.phase,
    a: a?.agent ?? null,
    b: b?.agent ?? null,
    fate: fate === 'same' && changes.length > 0 ? 'changed' : fate,
    changes,
    status: { a: a?.status ?? null, b: b?.status ?? null },
    durationMs: { a: a?.durationMs ?? null, b: b?.durationMs ?? null },
    outputTokens: { a: a?.usage?.outputTokens ?? null, b: b?.usage?.outputTokens ?? null },
  }
}

function listChanges(
  a: AgentState,
  b: AgentState,
  fate: CallFate,
  runA: RunId,
  runB: RunId,
  store: Reads,
): FieldChange[] {
  const [before, after] = [store.readCall(runA, a.agent), store.readCall(runB, b.agent)]
  const changes = fate === 'changed' && before && after ? compareCalls(before, after) : []
  const [old, now] = [outcomeOf(a.status), outcomeOf(b.status)]
  if (old !== now) changes.push(describeChange('outcome', old, now))
  const [was, is] = [resultOf(before), resultOf(after)]
  if (was !== is) changes.push(describeChange('result', was, is))
  return changes
}

/** An answer from an earlier run is one, as good as any. */
const outcomeOf = (status: AgentStatus): AgentStatus => (status === 'replayed' ? 'completed' : status)

function resultOf(call: AgentCallRecord | undefined): string | null {
  if (call === undefined || call.outcome === null || outcomeOf(call.outcome) !== 'completed') return null
  return typeof call.result === 'string' ? call.result : canonicalJson(call.result)
}
