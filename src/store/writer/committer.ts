// Commits what has gathered in one transaction. An operation that breaks a rule costs only its own run; a disk that is full
// costs those that don't fit. After a failed operation the later ones of the same run are refused, so that no log has a gap.

import type Database from 'better-sqlite3'
import { StoreError, toStoreError } from '../errors.ts'
import type { ApplyOperation } from './apply-operation.ts'
import type { NumberedOperation, WriteOperation } from './protocol.ts'

export interface CommitOutcome {
  failures: Map<number, StoreError>
  values: Map<number, unknown>
}

interface Fault {
  error: unknown
  /** The operation that failed; undefined when beginning or committing did. */
  culprit: NumberedOperation | undefined
}

export class Committer {
  readonly #db: Database.Database
  readonly #file: string
  readonly #apply: ApplyOperation
  readonly #sql: Record<'begin' | 'commit' | 'rollback', Database.Statement>
  /** Runs whose writes are refused, with the failure that began it. */
  readonly #refused = new Map<string, StoreError>()
  #synchronous: 'FULL' | 'NORMAL' = 'FULL'

  constructor(db: Database.Database, file: string, apply: ApplyOperation) {
    this.#db = db
    this.#file = file
    this.#apply = apply
    this.#sql = {
      begin: db.prepare('BEGIN IMMEDIATE'),
      commit: db.prepare('COMMIT'),
      rollback: db.prepare('ROLLBACK'),
    }
  }

  /** When it returns, every operation is either committed or among the failures. */
  commit(operations: readonly NumberedOperation[]): CommitOutcome {
    const outcome: CommitOutcome = { failures: new Map(), values: new Map() }
    for (const { operation } of operations) if (operation.kind === 'forgive') this.#refused.delete(operation.forgiven)
    this.#commitGroup(operations, outcome)
    return outcome
  }

  #commitGroup(operations: readonly NumberedOperation[], outcome: CommitOutcome): void {
    let todo = this.#withoutRefused(operations, outcome)
    while (todo.length > 0) {
      const fault = this.#attempt(todo, outcome)
      if (fault === undefined) return
      const error = toStoreError(fault.error, this.#file)
      const lanes = new Set(todo.map(laneOf))
      if (fault.culprit !== undefined && isOwnFault(error)) {
        // Without it, and without what follows in its run, the others go through.
        const lane = laneOf(fault.culprit)
        const from = todo.indexOf(fault.culprit)
        const dropped = todo.filter((operation, index) => index >= from && laneOf(operation) === lane)
        this.#refuse(dropped, error, outcome)
        todo = todo.filter((operation) => !dropped.includes(operation))
      } else if (fault.culprit === undefined && error.code === 'LOCKED') {
        return this.#refuse(todo, error, outcome)
      } else if (lanes.size > 1) {
        // What is small may still fit: each run for itself.
        for (const lane of lanes)
          this.#commitGroup(
            todo.filter((operation) => laneOf(operation) === lane),
            outcome,
          )
        return
      } else {
        return this.#refuse(todo, error, outcome)
      }
    }
  }

  #attempt(operations: readonly NumberedOperation[], outcome: CommitOutcome): Fault | undefined {
    let culprit: NumberedOperation | undefined
    try {
      this.#setSynchronous(operations.some(needsSync) ? 'FULL' : 'NORMAL')
      this.#sql.begin.run()
      for (const operation of operations) {
        culprit = operation
        const value = this.#apply(operation.operation)
        if (value !== undefined) outcome.values.set(operation.id, value)
      }
      culprit = undefined
      this.#sql.commit.run()
      return undefined
    } catch (error) {
      for (const { id } of operations) outcome.values.delete(id)
      // SQLite itself undoes the transaction on some errors.
      if (this.#db.inTransaction) this.#sql.rollback.run()
      return { error, culprit }
    }
  }

  /** For work that can be done again: commits of this connection are not synced until the next `commit` that needs it. */
  relax(): void {
    this.#setSynchronous('NORMAL')
  }

  // Without a sync a commit survives the death of the process, not a power cut, which costs the end of an event log at
  // most: a log that stops early is legal. The next synced commit makes all commits before it durable too.
  #setSynchronous(mode: 'FULL' | 'NORMAL'): void {
    if (mode === this.#synchronous) return
    this.#db.pragma(`synchronous = ${mode}`)
    this.#synchronous = mode
  }

  /** The first operation of each run gets the error itself, the others are told of it. */
  #refuse(operations: readonly NumberedOperation[], error: StoreError, outcome: CommitOutcome): void {
    for (const { id, operation } of operations) {
      const first = 'runId' in operation ? this.#refused.get(operation.runId) : undefined
      outcome.failures.set(id, first === undefined ? error : refusal(first))
      if ('runId' in operation && first === undefined) this.#refused.set(operation.runId, error)
    }
  }

  #withoutRefused(operations: readonly NumberedOperation[], outcome: CommitOutcome): NumberedOperation[] {
    return operations.filter(({ id, operation }) => {
      const first = 'runId' in operation ? this.#refused.get(operation.runId) : undefined
      if (first === undefined) return true
      outcome.failures.set(id, refusal(first))
      return false
    })
  }
}

/** What later writes of a run are refused with. */
export function refusal(first: StoreError): StoreError {
  return new StoreError(
    'RUN_REFUSED',
    `An earlier write of this run failed, so nothing more of it is stored: ${first.message}`,
    { cause: first },
  )
}

function laneOf({ id, operation }: NumberedOperation): string | number {
  return 'runId' in operation ? operation.runId : id
}

/** An error that says something about the operation, not about the disk. */
function isOwnFault(error: StoreError): boolean {
  return error.code === 'CONSTRAINT' || error.code === 'INTERNAL'
}

/** True for what somebody waits for, and for the end of a run: it has to survive a power cut. */
function needsSync({ operation }: { operation: WriteOperation }): boolean {
  switch (operation.kind) {
    case 'forgive':
    case 'call':
    case 'row':
    case 'totals':
      return false
    case 'events':
      return operation.types.includes('run-ended')
    default:
      return true
  }
}
