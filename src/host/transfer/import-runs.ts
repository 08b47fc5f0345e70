// Imports that are under way: pieces of a file come in one after the other, and the last one writes the run or nothing.

import { randomUUID } from 'node:crypto'
import { asRunId, HostError, type ImportProgress, type RunId } from '../../shared/index.ts'
import type { IdSource } from '../../engine/index.ts'
import type { Store, StoredRunContent } from '../../store/index.ts'
import { ImportReader } from './import-reader.ts'
import { exportLines, type TransferReads } from './jsonl-lines.ts'
import { IMPORT_LIMITS, type FeedLimits } from './line-feed.ts'

/** A client that does not come back with its next piece by then has gone. */
const FORGET_MS = 2 * 60_000
const MAX_OPEN = 4

interface OpenImport {
  reader: ImportReader
  timer: NodeJS.Timeout
}

export interface ImportPiece {
  importId?: string
  text: string
  last: boolean
}

export class ImportRuns {
  readonly #open = new Map<string, OpenImport>()
  readonly #store: TransferReads & Pick<Store, 'importRun'>
  readonly #ids: IdSource
  readonly #limits: FeedLimits

  constructor(store: TransferReads & Pick<Store, 'importRun'>, ids: IdSource, limits: FeedLimits = IMPORT_LIMITS) {
    this.#store = store
    this.#ids = ids
    this.#limits = limits
  }

  /** Takes one piece; one that is refused ends its import. `signal` is that of the client's connection. */
  async take({ importId, text, last }: ImportPiece, signal: AbortSignal): Promise<ImportProgress> {
    const id = importId ?? this.#begin(signal)
    const open = this.#open.get(id)
    if (open === undefined)
      throw new HostError({
        code: 'NOT_FOUND',
        message: 'This import is not going on any more: it was refused, or its next piece came too late. Begin anew',
      })
    clearTimeout(open.timer)
    try {
      this.#checkTotal(text)
      open.reader.push(text)
      if (!last) {
        open.timer = setTimeout(() => this.#open.delete(id), FORGET_MS).unref()
        return { importId: id, runId: null, renamed: false, known: false }
      }
      const done = await this.#write(open.reader.finish())
      this.#open.delete(id)
      return { importId: id, ...done }
    } catch (error) {
      this.#open.delete(id)
      throw error
    }
  }

  #begin(signal: AbortSignal): string {
    if (this.#open.size >= MAX_OPEN)
      throw new HostError({ code: 'CONFLICT', message: `${MAX_OPEN} imports are under way: try again after them` })
    const id = randomUUID()
    this.#open.set(id, { reader: new ImportReader(this.#limits), timer: setTimeout(() => undefined, 0) })
    signal.addEventListener('abort', () => this.#open.delete(id), { once: true })
    return id
  }

  /** All that are under way share one allowance. */
  #checkTotal(text: string): void {
    let units = text.length
    for (const { reader } of this.#open.values()) units += reader.units
    if (units > this.#limits.total)
      throw new HostError({
        code: 'BAD_REQUEST',
        message: `The import was refused: more than ${this.#limits.total.toLocaleString('en-US')} characters are being imported`,
      })
  }

  async #write(content: StoredRunContent): Promise<Omit<ImportProgress, 'importId'>> {
    const { runId } = content
    if (this.#store.readScript(runId) === undefined) {
      await this.#store.importRun(content)
      return { runId, renamed: false, known: false }
    }
    if (isSame(content, this.#store)) return { runId, renamed: false, known: true }
    const fresh = this.#ids.runId()
    await this.#store.importRun(renameRun(content, fresh))
    return { runId: fresh, renamed: true, known: false }
  }
}

/** Whether the run of that id is the very same, to the last byte of its file. */
function isSame(content: StoredRunContent, store: TransferReads): boolean {
  const stored = exportLines(content.runId, store)
  for (const line of exportLines(content.runId, readsOf(content))) if (stored.next().value !== line) return false
  return stored.next().done === true
}

/** What is in memory, read as if it were stored. */
function readsOf({ script, events, calls, journal, result }: StoredRunContent): TransferReads {
  const above = <Item extends { agent: number }>(items: readonly Item[], after: number, limit: number): Item[] => {
    const from = items.findIndex(({ agent }) => agent > after)
    return from === -1 ? [] : items.slice(from, from + limit)
  }
  return {
    readScript: () => script,
    readEvents: (_runId, fromSeq, limit) => events.slice(fromSeq - 1, fromSeq - 1 + limit),
    readOpenings: (_runId, after, limit) => above(calls, after, limit),
    readJournal: (_runId, after, limit) => above(journal, after, limit),
    readResultJson: () => (result === undefined ? null : JSON.stringify(result)),
  }
}

/** The same run by another id: where it names itself, and nowhere else. */
function renameRun(content: StoredRunContent, runId: RunId): StoredRunContent {
  const own = (id: RunId): RunId => (id === content.runId ? runId : asRunId(id))
  return {
    ...content,
    runId,
    events: content.events.map((event) =>
      event.type === 'run-started' ? { ...event, runId, lineage: own(event.lineage) } : event,
    ),
    journal: content.journal.map((row) => ({ ...row, origin: own(row.origin) })),
  }
}
