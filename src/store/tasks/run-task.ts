// A long task in a thread and on a connection of its own: the writer goes on meanwhile, and so does the host's loop.

import { rmSync, statSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import type Database from 'better-sqlite3'
import { openReadonly } from '../database/open-database.ts'
import { createPrivateFile } from '../database/private-file.ts'
import { toStoreError, toWireError } from '../errors.ts'
import type { IntegrityReport } from '../../shared/index.ts'
import type { TaskData, TaskReply } from '../writer/protocol.ts'
import { refuseExisting, settleFile } from './files.ts'
import { salvage } from './salvage.ts'

export function runTask(port: MessagePort, data: TaskData): void {
  const reply = (message: TaskReply): void => port.postMessage(message)
  try {
    reply({ ok: true, value: perform(data) })
  } catch (error) {
    reply({ ok: false, error: toWireError(toStoreError(error, data.file)) })
  }
  port.close()
}

function perform(data: TaskData): unknown {
  const { task } = data
  if (task.kind === 'salvage') return salvage(data, task.target)
  const db = openReadonly(data)
  try {
    return task.kind === 'backup' ? backUp(db, task.target) : check(db, data.file)
  } finally {
    db.close()
  }
}

function backUp(db: Database.Database, target: string): undefined {
  refuseExisting(target)
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  try {
    createPrivateFile(partial)
    db.prepare('VACUUM INTO ?').run(partial)
    settleFile(partial, target)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

const ORPHANS: readonly (readonly [what: string, sql: string])[] = [
  [
    'stored values that no run uses',
    'SELECT count(*) FROM blobs WHERE NOT EXISTS (SELECT 1 FROM blob_uses WHERE blob_uses.hash = blobs.hash)',
  ],
  [
    'scripts that no run uses',
    'SELECT count(*) FROM scripts WHERE NOT EXISTS (SELECT 1 FROM runs WHERE script_hash = scripts.hash)',
  ],
  [
    'runs whose event log has a gap',
    `SELECT count(*) FROM (SELECT run_id FROM events GROUP BY run_id HAVING min(seq) <> 1 OR max(seq) <> count(*))`,
  ],
]

function check(db: Database.Database, file: string): IntegrityReport {
  const problems: string[] = []
  for (const line of db.prepare<[], string>('PRAGMA integrity_check').pluck().all())
    if (line !== 'ok') problems.push(line)
  for (const row of db.prepare<[], { table: string }>('PRAGMA foreign_key_check').all())
    problems.push(`a row of ${row.table} refers to something that is not there`)
  // Made, but its first host has not laid it out yet, or died before it could.
  const isBlank = Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()) === 0
  for (const [what, sql] of isBlank ? [] : ORPHANS) {
    const count = Number(db.prepare(sql).pluck().get())
    if (count > 0) problems.push(`${count} ${what}`)
  }
  const pageSize = Number(db.pragma('page_size', { simple: true }))
  return {
    ok: problems.length === 0,
    problems,
    databaseBytes: sizeOf(file),
    logBytes: sizeOf(`${file}-wal`),
    freeBytes: Number(db.pragma('freelist_count', { simple: true })) * pageSize,
    runs: isBlank ? 0 : Number(db.prepare('SELECT count(*) FROM runs').pluck().get()),
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
