// What the machine itself allows, as bare loops in this process, measured beside what is compared with them.

import Database from 'better-sqlite3'
import { rmSync } from 'node:fs'
import { time } from './measure.ts'

/** Milliseconds that so many commits take, one row each, every one of them synced to the disk. */
export async function commitInLoop(file: string, commits: number): Promise<number> {
  const db = new Database(file)
  try {
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)')
    const insert = db.prepare('INSERT INTO rows (text) VALUES (?)')
    return await time(() => {
      for (let i = 0; i < commits; i++) insert.run('done')
    })
  } finally {
    db.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
  }
}
