// How a data folder is: who holds it, whether its database is sound, and what dead processes left lying about.

export interface IntegrityReport {
  ok: boolean
  problems: string[]
  databaseBytes: number
  /** The write-ahead log. */
  logBytes: number
  /** Inside the database file, for rows to come. */
  freeBytes: number
  runs: number
}

export interface Leftover {
  kind: 'socket' | 'temp-file' | 'database' | 'settings' | 'run-folder' | 'owner'
  path: string
  /** What it is and what may be done with it. */
  detail: string
}

export interface DoctorReport {
  /** Null when no host runs. */
  host: { pid: number; socket: string | null; version: string } | null
  dataDir: string
  integrity: IntegrityReport
  /** Null where it can't be told. */
  disk: { freeBytes: number | null }
  leftovers: Leftover[]
}
