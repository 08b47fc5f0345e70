// The store's one error class. SQLite's own errors are put into words here: what happened, to which file, what to do.

export type StoreErrorCode =
  /** The file is something else than a SQLite database. */
  | 'NOT_A_DATABASE'
  /** A SQLite database of another program. */
  | 'FOREIGN_DATABASE'
  /** Written by a newer version. */
  | 'FROM_FUTURE'
  /** The file is damaged, or what is stored in it contradicts itself. */
  | 'DAMAGED'
  /** Another process kept the database locked for longer than the busy timeout. */
  | 'LOCKED'
  | 'DISK_FULL'
  | 'READ_ONLY'
  | 'IO'
  /** A value breaks a rule of the schema: a row that exists already, a reference to nothing, a wrong type. */
  | 'CONSTRAINT'
  /** An earlier write of this run failed; later ones are refused so that its log has no gap. */
  | 'RUN_REFUSED'
  | 'UNKNOWN_RUN'
  /** The call contradicts the state of things: an id that is taken, a run that is still going, a target that exists. */
  | 'CONFLICT'
  | 'MIGRATION'
  /** The writer thread ended by itself. */
  | 'WRITER_LOST'
  | 'CLOSED'
  | 'INTERNAL'

export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export function closedError(): StoreError {
  return new StoreError('CLOSED', 'The store is closed; nothing is read from it or written to it any more.')
}

/** An error as it crosses between threads: a structured clone would lose its code. */
export interface WireError {
  code: StoreErrorCode
  message: string
}

export function toWireError(error: StoreError): WireError {
  return { code: error.code, message: error.message }
}

export function fromWireError(error: WireError): StoreError {
  return new StoreError(error.code, error.message)
}

/** SQLite's result code, e.g. `SQLITE_CONSTRAINT_PRIMARYKEY`; undefined for other errors. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return error.code.startsWith('SQLITE_') ? error.code : undefined
}

// By SQLite's primary result code; extended codes (`SQLITE_IOERR_WRITE`) begin with it.
const IN_WORDS: readonly (readonly [prefix: string, code: StoreErrorCode, words: string])[] = [
  [
    'SQLITE_NOTADB',
    'NOT_A_DATABASE',
    'is not a SQLite database. It was left as it is; move it away or name another file',
  ],
  ['SQLITE_CORRUPT', 'DAMAGED', 'is damaged. It was left as it is; restore a backup, or move it away to begin afresh'],
  ['SQLITE_FULL', 'DISK_FULL', 'could not be written: the disk is full. Free some space, then start again'],
  // The index of the write-ahead log could not be made as large as it has to be.
  ['SQLITE_IOERR_SHMSIZE', 'DISK_FULL', 'could not be opened: the disk is full. Free some space, then start again'],
  ['SQLITE_BUSY', 'LOCKED', 'is locked by another process. Close the program that has it open, then start again'],
  ['SQLITE_LOCKED', 'LOCKED', 'is locked by another connection. Close what reads it, then start again'],
  ['SQLITE_READONLY', 'READ_ONLY', 'can only be read. Check the permissions of the file and of its folder'],
  ['SQLITE_PERM', 'READ_ONLY', 'can not be accessed. Check the permissions of the file and of its folder'],
  [
    'SQLITE_CANTOPEN',
    'IO',
    'could not be opened. Check that its folder exists and that it is a file you may read and write',
  ],
  ['SQLITE_IOERR', 'IO', 'could not be read or written. Check the disk it is on'],
  ['SQLITE_CONSTRAINT', 'CONSTRAINT', 'refused a row that breaks a rule of the schema'],
  ['SQLITE_MISMATCH', 'CONSTRAINT', 'refused a value of the wrong type'],
  ['SQLITE_TOOBIG', 'CONSTRAINT', 'refused a value that is too large for SQLite (1 GB)'],
]

/** Any error as a StoreError: SQLite's in words that name `file`, others as INTERNAL. */
export function toStoreError(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error
  const detail = error instanceof Error ? error.message : String(error)
  const code = sqliteCode(error)
  const known = code && IN_WORDS.find(([prefix]) => code.startsWith(prefix))
  if (known) return new StoreError(known[1], `The database ${file} ${known[2]} (${code}: ${detail}).`, { cause: error })
  return new StoreError('INTERNAL', `The store failed on ${file}: ${detail}`, { cause: error })
}
