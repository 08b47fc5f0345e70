// `--events`: a run's events as JSON Lines, on stdout or in a file, as they come.

import { appendFileSync, closeSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RunEvent } from '../../shared/index.ts'
import { CliError } from '../errors.ts'
import type { Output } from '../output/output.ts'

export interface EventWriter {
  write(events: readonly RunEvent[]): void
  close(): void
}

/** `-` is stdout. A file is created or emptied now, so that a bad path is refused before anything runs. */
export function openEventWriter(target: string, cwd: string, out: Output): EventWriter {
  if (target === '-') return { write: (events) => out.write(toJsonLines(events)), close: () => {} }
  const file = openFile(resolve(cwd, target), target)
  return {
    // Written at once and in full: the lines are there whatever becomes of this process.
    write: (events) => appendFileSync(file, toJsonLines(events)),
    close: () => closeSync(file),
  }
}

function openFile(path: string, target: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError('USAGE', `--events can't write ${target}: ${reason}`, { cause: error })
  }
}

export const toJsonLines = (events: readonly RunEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')
