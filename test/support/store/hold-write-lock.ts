// A process that holds a database's write lock: says `locked`, and lets go after so many milliseconds.

import { writeSync } from 'node:fs'
import Database from 'better-sqlite3'

const [file, milliseconds] = process.argv.slice(2)
const db = new Database(file)
db.exec('BEGIN IMMEDIATE')
writeSync(1, 'locked\n')
setTimeout(() => {
  db.exec('COMMIT')
  db.close()
}, Number(milliseconds))
