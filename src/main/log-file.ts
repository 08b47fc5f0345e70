// The main process's log: JSON lines in one file, the one before it kept.

import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { inspect } from 'node:util'
import type { Logger } from './logger.ts'

const MAX_BYTES = 5 * 1024 * 1024

/** Never throws: a full disk must not end the app. The file and its folder are for the user alone. */
export function createLogFile(file: string): Logger {
  const write = (level: keyof Logger, message: string, fields: object | undefined): void => {
    const line = toLine({ at: new Date().toISOString(), level, message }, fields)
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.old`)
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
    } catch {
      // There is nowhere left to say it.
    }
  }
  return {
    // Chatter is for whoever asks for it, and nobody can yet.
    debug: () => {},
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  }
}

function toLine(head: object, fields: object | undefined): string {
  try {
    return JSON.stringify({ ...head, ...fields }, errorsToo)
  } catch {
    // Cycles, BigInt, getters that throw: still better told in another form than not at all.
    return JSON.stringify({ ...head, fields: inspect(fields) })
  }
}

/** JSON.stringify writes an Error as `{}`. */
function errorsToo(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { name, message, stack, cause } = value
  return { ...Object.fromEntries(Object.entries(value)), name, message, stack, ...(cause !== undefined && { cause }) }
}
