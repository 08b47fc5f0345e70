// A logger that remembers what it was told.

import type { Logger } from '../../../src/engine/index.ts'

export interface LogEntry {
  level: keyof Logger
  message: string
  fields?: object | undefined
}

export function createLogKeeper(): { logger: Logger; entries: LogEntry[] } {
  const entries: LogEntry[] = []
  const keep =
    (level: keyof Logger) =>
    (message: string, fields?: object): void => {
      entries.push({ level, message, fields })
    }
  return { entries, logger: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') } }
}
