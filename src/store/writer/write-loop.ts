// The writer thread's loop: takes all that has gathered, commits it at once, says how far it got, and only then does the
// work that can wait (search index, giving free pages back to the disk).

import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import type Database from 'better-sqlite3'
import { checkWhole, openWritable } from '../database/open-database.ts'
import { toStoreError, toWireError } from '../errors.ts'
import { SearchIndexer } from '../search/indexer.ts'
import { createApplier } from './apply-operation.ts'
import { Committer } from './committer.ts'
import { unpackOperation } from './pack.ts'
import type { FromWriter, NumberedOperation, ToWriter, WriterData } from './protocol.ts'

/** Texts wait this long for the index, so that many of them share a transaction; while runs are being written, longer. */
const CHORE_DELAY_MS = 100
const LONGEST_DELAY_MS = 400
/** Nothing was written for this long. */
const QUIET_MS = 50
/** At the end, what of the index is not done by then is left to the next opening. */
const CLOSING_CHORES_MS = 300
const VACUUM_PAGES = 1000

/** Opens the database and writes what arrives on `port` until told to close. */
export function runWriter(port: MessagePort, data: WriterData): void {
  let db: Database.Database
  try {
    checkWhole(data)
    db = openWritable(data)
  } catch (error) {
    post(port, { type: 'not-opened', error: toWireError(toStoreError(error, data.file)) })
    port.close()
    return
  }
  new WriteLoop(port, db, data.file).start()
}

class WriteLoop {
  readonly #port: MessagePort
  readonly #db: Database.Database
  readonly #file: string
  readonly #committer: Committer
  readonly #indexer: SearchIndexer
  #indexing = true
  #vacuuming = false
  #chores: NodeJS.Timeout | undefined
  #choresSince = 0
  #wroteAt = 0

  constructor(port: MessagePort, db: Database.Database, file: string) {
    this.#port = port
    this.#db = db
    this.#file = file
    this.#committer = new Committer(db, file, createApplier(db))
    this.#indexer = new SearchIndexer(db)
  }

  start(): void {
    this.#port.on('message', (message: ToWriter) => this.#take(message))
    this.#planChores()
    post(this.#port, { type: 'ready' })
  }

  #take(first: ToWriter): void {
    const operations: NumberedOperation[] = []
    let closing = false
    // Whatever came in while the last commit was waiting for the disk shares the next one.
    for (let message: ToWriter | undefined = first; message !== undefined; message = this.#receive()) {
      if (message.type === 'write') for (const packed of message.operations) operations.push(unpackOperation(packed))
      else closing = true
    }
    if (operations.length > 0) this.#write(operations)
    if (closing) this.#close()
  }

  #receive(): ToWriter | undefined {
    // The other end of this port sends nothing else.
    return receiveMessageOnPort(this.#port)?.message as ToWriter | undefined
  }

  #write(operations: readonly NumberedOperation[]): void {
    const { failures, values } = this.#committer.commit(operations)
    this.#wroteAt = performance.now()
    const upTo = operations.at(-1)?.id ?? 0
    post(this.#port, {
      type: 'stored',
      upTo,
      failures: [...failures].map(([id, error]) => [id, toWireError(error)]),
      values: [...values],
    })
    for (const { id, operation } of operations) {
      if (failures.has(id)) continue
      if (this.#indexing) this.#indexer.note(operation)
      if (operation.kind === 'delete') this.#vacuuming = true
    }
    this.#planChores()
  }

  #planChores(): void {
    const anything = this.#vacuuming || (this.#indexing && !this.#indexer.idle)
    if (!anything || this.#chores !== undefined) return
    this.#choresSince = performance.now()
    this.#chores = setTimeout(() => this.#doChore(), CHORE_DELAY_MS)
  }

  #doChore(): void {
    this.#chores = undefined
    const now = performance.now()
    // Somebody may be waiting for the next commit: chores are for the pauses, as long as they can wait for one.
    if (now - this.#wroteAt < QUIET_MS && now - this.#choresSince < LONGEST_DELAY_MS) {
      this.#chores = setTimeout(() => this.#doChore(), QUIET_MS)
      return
    }
    if (this.#indexing && !this.#indexer.idle) this.#index()
    else if (this.#vacuuming) this.#giveBackPages()
    // The next slice comes after the messages that have arrived meanwhile.
    const more = this.#vacuuming || (this.#indexing && !this.#indexer.idle)
    if (more) this.#chores ??= setTimeout(() => this.#doChore(), 1)
  }

  #index(): void {
    try {
      // A power cut costs nothing but the work: which runs are complete is in the same log.
      this.#committer.relax()
      this.#indexer.work()
    } catch (error) {
      this.#indexing = false
      this.#report(error)
    }
  }

  #giveBackPages(): void {
    try {
      this.#db.pragma(`incremental_vacuum(${VACUUM_PAGES})`)
      this.#vacuuming = Number(this.#db.pragma('freelist_count', { simple: true })) > 0
    } catch (error) {
      this.#vacuuming = false
      this.#report(error)
    }
  }

  #report(error: unknown): void {
    post(this.#port, { type: 'fault', error: toWireError(toStoreError(error, this.#file)) })
  }

  #close(): void {
    clearTimeout(this.#chores)
    const until = performance.now() + CLOSING_CHORES_MS
    while (this.#indexing && !this.#indexer.idle && performance.now() < until) this.#index()
    try {
      // Closing the last connection moves the log into the database and removes it.
      this.#db.close()
    } catch (error) {
      this.#report(error)
    }
    post(this.#port, { type: 'closed' })
    this.#port.close()
  }
}

function post(port: MessagePort, message: FromWriter): void {
  port.postMessage(message)
}
