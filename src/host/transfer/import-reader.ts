// Reads a run file line by line, and judges it: by schema, by the rules of a run's log, and by what its parts say of each
// other. Nothing is written from here.

import { createHash } from 'node:crypto'
import {
  asRunId,
  HostError,
  isJsonObject,
  RunFold,
  RunLogError,
  toPreview,
  type JsonObject,
  type JsonValue,
  type RunEvent,
  type RunId,
} from '../../shared/index.ts'
import type { CallOpening, JournalRow } from '../../engine/index.ts'
import type { StoredRunContent } from '../../store/index.ts'
import { checkEventShape, checkLine, kindOf, type LineKind } from './import-schemas.ts'
import { FORMAT_VERSION } from './jsonl-lines.ts'
import { IMPORT_LIMITS, LineFeed, type FeedLimits } from './line-feed.ts'

const SHOWN = 100
const ORDER: readonly LineKind[] = ['header', 'script', 'event', 'call', 'journal', 'result', 'end']
const ONCE: ReadonlySet<LineKind> = new Set(['header', 'script', 'result', 'end'])

type Script = StoredRunContent['script']

export class ImportReader {
  readonly #feed: LineFeed
  readonly #violations: string[] = []
  #hidden = 0
  #stage: LineKind | undefined
  #runId: RunId | undefined
  #script: Script | undefined
  readonly #events: RunEvent[] = []
  readonly #fold = new RunFold()
  /** The log broke a rule: what follows is not judged by it any more. */
  #broken = false
  #lastCall = 0
  #lastRow = 0
  readonly #calls = new Map<number, CallOpening>()
  readonly #journal = new Map<number, JournalRow>()
  #result: JsonValue | undefined

  constructor(limits: FeedLimits = IMPORT_LIMITS) {
    this.#feed = new LineFeed(limits, (line, number) => this.#take(line, number))
  }

  get units(): number {
    return this.#feed.units
  }

  /** Throws BAD_REQUEST when the file is not one of ours, is of a later version, or passes a limit. */
  push(text: string): void {
    this.#feed.push(text)
  }

  /** What the whole file holds. Throws BAD_REQUEST with every violation and its line. */
  finish(): StoredRunContent {
    this.#feed.end()
    if (this.#stage === undefined) throw refuse(['the file is empty'])
    if (this.#stage !== 'end') this.#complain(undefined, 'the file stops early: it has no "end" line')
    this.#checkWhole()
    const [runId, script] = [this.#runId, this.#script]
    if (this.#violations.length > 0 || runId === undefined || script === undefined)
      throw refuse([...this.#violations, ...(this.#hidden > 0 ? [`… ${this.#hidden} more`] : [])])
    const [calls, journal] = [[...this.#calls.values()], [...this.#journal.values()]]
    return { runId, script, events: this.#events, calls, journal, result: this.#result }
  }

  #complain(line: number | undefined, what: string): void {
    if (this.#violations.length >= SHOWN) this.#hidden++
    else this.#violations.push(line === undefined ? what : `line ${line}: ${what}`)
  }

  #take(text: string, line: number): void {
    let value: JsonValue
    try {
      // JSON.parse makes data of any key, `__proto__` included, and is typed `any`.
      value = JSON.parse(line === 1 ? text.replace(/^\uFEFF/, '') : text) as JsonValue
      // Proves that it can be written again: a value may be nested deeper than the stack allows.
      JSON.stringify(value)
    } catch (error) {
      const why = error instanceof RangeError ? 'it is nested too deeply' : `it is not JSON: ${describe(error)}`
      if (this.#stage === undefined) throw refuse([`line ${line}: ${why}`])
      return this.#complain(line, why)
    }
    const kind = kindOf(value)
    if (this.#stage === undefined) return this.#takeHeader(value, kind, line)
    if (kind === undefined || !isJsonObject(value)) {
      const known = ORDER.slice(1).join(', ')
      return this.#complain(line, `it is of no known kind (${known}): ${toPreview(text, 60)}`)
    }
    this.#checkOrder(kind, line)
    const found = kind === 'event' ? checkEvent(value) : checkLine(kind, value)
    for (const violation of found) this.#complain(line, violation)
    if (found.length === 0) this.#keep(kind, value, line)
  }

  #takeHeader(value: JsonValue, kind: LineKind | undefined, line: number): void {
    if (kind !== 'header' || !isJsonObject(value) || value['format'] !== 'weft-run')
      throw refuse([`line ${line}: it is not the header of an exported run ({"format":"weft-run",…})`])
    const { version } = value
    if (typeof version === 'number' && version > FORMAT_VERSION)
      throw refuse([
        `line ${line}: the file is of version ${version}, from a newer Weft; this one reads up to version ${FORMAT_VERSION}. Update Weft`,
      ])
    const found = checkLine('header', value)
    if (found.length > 0) throw refuse(found.map((violation) => `line ${line}: ${violation}`))
    this.#stage = 'header'
    const { runId } = value
    if (typeof runId === 'string') this.#runId = asRunId(runId)
  }

  #checkOrder(kind: LineKind, line: number): void {
    const before = this.#stage ?? 'header'
    const back = ORDER.indexOf(kind) < ORDER.indexOf(before)
    if (back) this.#complain(line, `"${kind}" may not follow "${before}"`)
    else if (kind === before && ONCE.has(kind)) this.#complain(line, `there is more than one "${kind}" line`)
    else this.#stage = kind
  }

  // The schemas have just made sure of the shapes.
  #keep(kind: LineKind, { kind: _kind, ...value }: JsonObject, line: number): void {
    switch (kind) {
      case 'script':
        return this.#keepScript(value as unknown as Script, line)
      case 'event':
        return this.#keepEvent(value['event'] as unknown as RunEvent, line)
      case 'call':
        return this.#keepCall(value as unknown as CallOpening, line)
      case 'journal':
        return this.#keepRow(value as unknown as JournalRow, line)
      case 'result':
        this.#result = value['value'] ?? null
        return
      case 'end':
        return this.#checkCounts(value, line)
      case 'header':
    }
  }

  #keepScript(script: Script, line: number): void {
    const hash = createHash('sha256').update(script.text).digest('hex')
    if (hash !== script.hash) this.#complain(line, `the script's text does not have the hash ${script.hash}`)
    const { text, fileName } = script
    this.#script = { text, fileName, hash: script.hash }
  }

  #keepEvent(event: RunEvent, line: number): void {
    if (this.#broken) return
    try {
      this.#fold.push(event)
      this.#events.push(event)
    } catch (error) {
      if (!(error instanceof RunLogError)) throw error
      this.#broken = true
      this.#complain(line, error.message)
    }
  }

  #keepCall(call: CallOpening, line: number): void {
    this.#checkNumber(call.agent, this.#lastCall, line)
    this.#lastCall = call.agent
    this.#checkAgent(call, line)
    this.#calls.set(call.agent, call)
  }

  #keepRow(row: JournalRow, line: number): void {
    this.#checkNumber(row.agent, this.#lastRow, line)
    this.#lastRow = row.agent
    const call = this.#calls.get(row.agent)
    if (call === undefined) this.#complain(line, `there is no call line of agent ${row.agent}`)
    else if (call.path !== row.path || call.key !== row.key)
      this.#complain(line, `agent ${row.agent} has another path or key in its call line`)
    this.#journal.set(row.agent, row)
  }

  #checkNumber(agent: number, last: number, line: number): void {
    if (agent <= last) this.#complain(line, `agent ${agent} may not follow agent ${last}`)
  }

  #checkAgent({ agent, path, key, startedSeq }: CallOpening, line: number): void {
    if (this.#broken) return
    const { agents, seq } = this.#fold.state
    const state = agents[agent - 1]
    if (state === undefined) this.#complain(line, `agent ${agent} has no events`)
    else if (state.path !== path || state.key !== key)
      this.#complain(line, `agent ${agent} has another path or key in its events`)
    if (startedSeq > seq) this.#complain(line, `startedSeq is ${startedSeq}, and the last event is ${seq}`)
  }

  #checkCounts(value: JsonObject, line: number): void {
    const found = { events: this.#events.length, calls: this.#calls.size, journal: this.#journal.size }
    if (this.#broken || this.#violations.length > 0) return
    for (const [name, count] of Object.entries(found)) {
      if (value[name] !== count)
        this.#complain(line, `${name} is ${JSON.stringify(value[name])}, but there are ${count}`)
    }
  }

  #checkWhole(): void {
    if (this.#script === undefined && this.#violations.length === 0) this.#complain(undefined, 'the script is missing')
    if (this.#broken) return
    const { info, endedAt } = this.#fold.state
    if (info === undefined) {
      if (this.#violations.length === 0) this.#complain(undefined, 'the events are missing')
      return
    }
    if (info.runId !== this.#runId)
      this.#complain(undefined, `the header is of run ${this.#runId}, the events are of run ${info.runId}`)
    if (this.#script !== undefined && info.scriptHash !== this.#script.hash)
      this.#complain(undefined, 'the script is not the one that the events tell of: its hash is another')
    if (endedAt === undefined && this.#violations.length === 0)
      this.#complain(undefined, 'the events stop before the end of the run')
  }
}

function checkEvent(value: JsonObject): string[] {
  const { kind: _kind, event, ...more } = value
  const extra = Object.keys(more).map((name) => `${name} is not known: known are kind, event`)
  return [...extra, ...checkEventShape(event)]
}

const describe = (error: unknown): string => toPreview(error instanceof Error ? error.message : String(error), 120)

function refuse(violations: string[]): HostError {
  const [first = ''] = violations
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''
  return new HostError({
    code: 'BAD_REQUEST',
    message: `The import was refused, and nothing of it was kept: ${first}${more}`,
    violations,
  })
}
