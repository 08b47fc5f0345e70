// A run as JSON Lines: header, script, events, calls, journal, result, end. What `weft import` reads (import-reader.ts), and
// all that a run is: it can be shown, searched, compared and resumed from it.

import type { RunId } from '../../shared/index.ts'
import type { Store } from '../../store/index.ts'

export const FORMAT = 'weft-run'
/** Raised when a file of a new form can't be read by older versions. */
export const FORMAT_VERSION = 1

const EVENTS_AT_ONCE = 500
/** Few, since prompts and results may be large. */
const CALLS_AT_ONCE = 10

export type TransferReads = Pick<Store, 'readScript' | 'readEvents' | 'readOpenings' | 'readJournal' | 'readResultJson'>

/** One line of the file at a time, each with its line end. The run has ended and is there. */
export function* exportLines(runId: RunId, store: TransferReads): Generator<string> {
  yield toLine({ format: FORMAT, version: FORMAT_VERSION, runId })
  const script = store.readScript(runId)
  if (script !== undefined)
    yield toLine({ kind: 'script', fileName: script.fileName, hash: script.hash, text: script.text })
  let events = 0
  for (;;) {
    const page = store.readEvents(runId, events + 1, EVENTS_AT_ONCE)
    for (const event of page) yield toLine({ kind: 'event', event })
    events += page.length
    if (page.length < EVENTS_AT_ONCE) break
  }
  let calls = 0
  for (const call of inPages((after) => store.readOpenings(runId, after, CALLS_AT_ONCE))) {
    calls++
    yield toLine({ kind: 'call', ...call })
  }
  let journal = 0
  for (const row of inPages((after) => store.readJournal(runId, after, CALLS_AT_ONCE))) {
    journal++
    yield toLine({ kind: 'journal', ...row })
  }
  const json = store.readResultJson(runId)
  // Not parsed: a long result is as it is stored.
  if (json !== null) yield `{"kind":"result","value":${json}}\n`
  yield toLine({ kind: 'end', events, calls, journal })
}

const toLine = (record: object): string => `${JSON.stringify(record)}\n`

function* inPages<Item extends { agent: number }>(read: (after: number) => Item[]): Generator<Item> {
  for (let after = 0; ;) {
    const page = read(after)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < CALLS_AT_ONCE) return
    after = last.agent
  }
}
