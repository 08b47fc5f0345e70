// Reads on one connection: their failures become StoreErrors, and the store can wait for those that take a while.

import type Database from 'better-sqlite3'
import { closedError, sqliteCode, toStoreError } from '../errors.ts'
import type { WriterClient } from '../writer/writer-client.ts'

export class Reading {
  readonly #db: Database.Database
  readonly #writer: Pick<WriterClient, 'assertOpen'>
  readonly #file: string
  /** What has to be over before the store may close. */
  readonly #pending = new Set<Promise<unknown>>()

  constructor(db: Database.Database, writer: Pick<WriterClient, 'assertOpen'>, file: string) {
    this.#db = db
    this.#writer = writer
    this.#file = file
  }

  /** Throws StoreError: CLOSED, or what SQLite failed of; what `read` itself throws stays what it is. */
  read<Value>(read: () => Value): Value {
    if (!this.#db.open) throw closedError()
    try {
      return read()
    } catch (error) {
      if (sqliteCode(error) !== undefined) throw toStoreError(error, this.#file)
      throw error
    }
  }

  /** For work that writes, too. Rejects with StoreError. */
  async readAsync<Value>(read: () => Promise<Value>): Promise<Value> {
    this.#writer.assertOpen()
    try {
      return await read()
    } catch (error) {
      throw toStoreError(error, this.#file)
    }
  }

  track<Value>(promise: Promise<Value>): Promise<Value> {
    this.#pending.add(promise)
    const done = (): void => void this.#pending.delete(promise)
    promise.then(done, done)
    return promise
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending)
  }
}
