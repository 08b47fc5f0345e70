// Reads of agent calls: one call whole, and the rows that a resume may answer from.

import type Database from 'better-sqlite3'
import {
  asAgentNumber,
  asCallKey,
  asCallPath,
  asRunId,
  type AgentCallRecord,
  type AgentNumber,
  type AgentOutcome,
  type JsonValue,
  type RunId,
  type Usage,
} from '../../shared/index.ts'
import type { CallOpening, JournalRow } from '../../engine/index.ts'
import { StoreError } from '../errors.ts'

const RESULT = 'coalesce(journal.result, (SELECT data FROM blobs WHERE hash = journal.result_blob))'

export const CALL_SQL = {
  call: `SELECT calls.agent, calls.path, calls.key,
      coalesce(calls.prompt, (SELECT data FROM blobs WHERE hash = calls.prompt_blob)) AS prompt,
      coalesce(calls.options, (SELECT data FROM blobs WHERE hash = calls.options_blob)) AS options,
      journal.outcome, ${RESULT} AS result, journal.usage, journal.duration_ms
    FROM calls LEFT JOIN journal ON journal.run_id = calls.run_id AND journal.agent = calls.agent
    WHERE calls.run_id = ? AND calls.agent = ?`,
  journal: `SELECT agent, path, key, outcome, ${RESULT} AS result, usage, duration_ms, started_seq, origin, rejections, branch
    FROM journal WHERE run_id = ? AND agent > ? ORDER BY agent LIMIT ?`,
  openings: `SELECT agent, path, key, started_seq,
      coalesce(prompt, (SELECT data FROM blobs WHERE hash = prompt_blob)) AS prompt,
      coalesce(options, (SELECT data FROM blobs WHERE hash = options_blob)) AS options
    FROM calls WHERE run_id = ? AND agent > ? ORDER BY agent LIMIT ?`,
  open: `SELECT calls.agent, calls.path, calls.key, calls.started_seq FROM calls WHERE run_id = ? AND NOT EXISTS
      (SELECT 1 FROM journal WHERE journal.run_id = calls.run_id AND journal.agent = calls.agent)
    ORDER BY agent`,
  dry: 'SELECT dry FROM runs WHERE run_id = ?',
} as const

const PAGE = 500

interface StoredJournalRow {
  agent: number
  path: string
  key: string
  outcome: AgentOutcome
  result: string
  usage: string | null
  duration_ms: number
  started_seq: number
  origin: string
  rejections: number | null
  branch: string | null
}

interface StoredCall {
  agent: number
  path: string
  key: string
  prompt: string
  options: string
  outcome: AgentOutcome | null
  result: string | null
  usage: string | null
  duration_ms: number | null
}

interface StoredOpening extends OpenCall {
  prompt: string
  options: string
}

/** A call without a journal row. */
export interface OpenCall {
  agent: number
  path: string
  key: string
  started_seq: number
}

export class CallQueries {
  readonly #call: Database.Statement<[string, number], StoredCall>
  readonly #journal: Database.Statement<[string, number, number], StoredJournalRow>
  readonly #openings: Database.Statement<[string, number, number], StoredOpening>
  readonly #open: Database.Statement<[string], OpenCall>
  readonly #dry: Database.Statement<[string], number>

  constructor(db: Database.Database) {
    this.#call = db.prepare(CALL_SQL.call)
    this.#journal = db.prepare(CALL_SQL.journal)
    this.#openings = db.prepare(CALL_SQL.openings)
    this.#open = db.prepare(CALL_SQL.open)
    this.#dry = db.prepare<[string], number>(CALL_SQL.dry).pluck()
  }

  call(runId: RunId, agent: AgentNumber): AgentCallRecord | undefined {
    const stored = this.#call.get(runId, agent)
    return stored && readWhole(runId, agent, () => toCallRecord(stored))
  }

  /** Journal rows that can be read, in the order of their agents, in pages: between two of them the caller may let others run. */
  *journalPages(runId: RunId): Generator<JournalRow[]> {
    for (let after = 0; ;) {
      const page = this.#journal.all(runId, after, PAGE)
      if (page.length > 0) yield page.flatMap((stored) => readJournalRow(stored) ?? [])
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return
      after = last.agent
    }
  }

  /** At most `limit` journal rows of agents above `after`. */
  journal(runId: RunId, after: number, limit: number): JournalRow[] {
    return this.#journal
      .all(runId, after, limit)
      .map((stored) => readWhole(runId, stored.agent, () => toJournalRow(stored)))
  }

  /** At most `limit` calls of agents above `after`, as they were opened. */
  openings(runId: RunId, after: number, limit: number): CallOpening[] {
    return this.#openings.all(runId, after, limit).map((stored) => ({
      agent: asAgentNumber(stored.agent),
      path: asCallPath(stored.path),
      key: asCallKey(stored.key),
      prompt: String(JSON.parse(stored.prompt)),
      // Written by Journal.openCall from the same type.
      options: JSON.parse(stored.options) as CallOpening['options'],
      startedSeq: stored.started_seq,
    }))
  }

  openCalls(runId: RunId): OpenCall[] {
    return this.#open.all(runId)
  }

  isDry(runId: RunId): boolean {
    return this.#dry.get(runId) === 1
  }
}

function readWhole<Value>(runId: RunId, agent: number, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    const message = `Run ${runId}: what is stored of agent ${agent} is damaged and can't be read.`
    throw new StoreError('DAMAGED', message, { cause: error })
  }
}

function toCallRecord(stored: StoredCall): AgentCallRecord {
  return {
    agent: asAgentNumber(stored.agent),
    path: asCallPath(stored.path),
    key: asCallKey(stored.key),
    prompt: String(JSON.parse(stored.prompt)),
    // Written by Journal.openCall from the same type.
    options: JSON.parse(stored.options) as AgentCallRecord['options'],
    outcome: stored.outcome,
    result: stored.result === null ? null : parseResult(stored.result),
    usage: parseUsage(stored.usage),
    durationMs: stored.duration_ms,
  }
}

/** Undefined when what is stored can't be read any more. */
function readJournalRow(stored: StoredJournalRow): JournalRow | undefined {
  try {
    return toJournalRow(stored)
  } catch {
    return undefined
  }
}

function toJournalRow(stored: StoredJournalRow): JournalRow {
  return {
    agent: asAgentNumber(stored.agent),
    path: asCallPath(stored.path),
    key: asCallKey(stored.key),
    outcome: stored.outcome,
    result: parseResult(stored.result),
    usage: parseUsage(stored.usage),
    durationMs: stored.duration_ms,
    startedSeq: stored.started_seq,
    origin: asRunId(stored.origin),
    ...(stored.rejections !== null && { rejections: stored.rejections }),
    ...(stored.branch !== null && { branch: stored.branch }),
  }
}

// Both were written from values of these types by Journal.closeCall.
function parseResult(text: string): JsonValue {
  return JSON.parse(text) as JsonValue
}

function parseUsage(text: string | null): Usage | null {
  return text === null ? null : (JSON.parse(text) as Usage)
}
