// Opens the store: the writer thread first, which creates or migrates the database, then the reading connection.

import { openReadonly } from './database/open-database.ts'
import { toStoreError } from './errors.ts'
import { SqliteStore } from './sqlite-store.ts'
import type { IntegrityReport } from '../shared/index.ts'
import type { OpenStoreOptions, SalvageReport, Store } from './store.ts'
import { startTask } from './tasks/start-task.ts'
import { WriterClient } from './writer/writer-client.ts'

const BUSY_TIMEOUT_MS = 30_000
/** Readers wait only while another process recovers the log after a crash. */
const READER_BUSY_TIMEOUT_MS = 5000

/** Opens, creates or migrates the database. Rejects with StoreError; a file that can't be used is left as it is. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { file, writerWorker, busyTimeoutMs = BUSY_TIMEOUT_MS } = options
  const onError = (error: Error): void => options.onError(error)
  const opened: { store?: SqliteStore } = {}
  const writer = await WriterClient.start(
    writerWorker,
    { role: 'writer', file, busyTimeoutMs },
    {
      beforeSend: () => opened.store?.events.addRows(),
      afterStored: () => opened.store?.events.announce(),
      onFault: onError,
    },
  )
  try {
    const db = openReadonly({ file, busyTimeoutMs: READER_BUSY_TIMEOUT_MS })
    opened.store = new SqliteStore({ file, writerWorker, busyTimeoutMs, onError }, writer, db)
    return opened.store
  } catch (error) {
    await writer.close()
    throw toStoreError(error, file)
  }
}

/** Saves what can be read of a damaged database into the new file `target`; the original is only read. Rejects with StoreError. */
export async function salvageDatabase(
  options: Pick<OpenStoreOptions, 'file' | 'writerWorker'> & { target: string },
): Promise<SalvageReport> {
  const { file, writerWorker, target } = options
  const task = { kind: 'salvage' as const, target }
  // The thread answers with exactly this (tasks/salvage.ts).
  return (await startTask(writerWorker, { role: 'task', file, busyTimeoutMs: BUSY_TIMEOUT_MS, task })) as SalvageReport
}

/** `Store.checkIntegrity` of a database that is not open here; it is only read. Rejects with StoreError. */
export async function checkDatabase(
  options: Pick<OpenStoreOptions, 'file' | 'writerWorker'>,
): Promise<IntegrityReport> {
  const { file, writerWorker } = options
  const task = { kind: 'check' as const }
  // The thread answers a check with exactly this (tasks/run-task.ts).
  return (await startTask(writerWorker, {
    role: 'task',
    file,
    busyTimeoutMs: READER_BUSY_TIMEOUT_MS,
    task,
  })) as IntegrityReport
}
