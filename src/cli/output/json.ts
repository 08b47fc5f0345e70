// What `--json` promises: one document on stdout, whatever happens.

import type { Output } from './output.ts'

/** Indented for a reader at a terminal, else on one line. */
export function writeJson(out: Output, document: unknown): void {
  out.write(`${JSON.stringify(document, null, out.isTty ? 2 : 0)}\n`)
}

export interface Promised {
  /** `--json`: an error has to be a document too. */
  json: boolean
  /** `--events -`: stdout carries events and nothing else. */
  events: boolean
}

/** What stdout is promised to, told from the raw arguments: they may be what is wrong. */
export function readPromises(argv: readonly string[]): Promised {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const events = words.some((word, index) => word === '--events=-' || (word === '--events' && words[index + 1] === '-'))
  return { json: words.includes('--json') && !events, events }
}
