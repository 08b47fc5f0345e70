// A JSON value as rows of a tree and as lines of text, of which a view asks for those it shows. Lives in a worker when it is
// large, so everything that goes in and out is plain data.

import { cutText } from '../../../shared/index.ts'

export interface JsonRow {
  /** Unique among the rows; stays with a value while it is shown. */
  id: string
  /** From 1, as `aria-level`. */
  level: number
  /** From 1, among its siblings. */
  position: number
  siblings: number
  /** The property or the index; null for the whole value. */
  name: string | number | null
  kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  /** A scalar as JSON, cut when it is long; of an object or array, its brackets and what is in them in few words. */
  text: string
  /** Undefined for what has nothing to open. */
  open: boolean | undefined
}

export type JsonMode = 'tree' | 'text'

interface Node {
  value: unknown
  name: string | number | null
  id: string
  level: number
  position: number
  siblings: number
  open: boolean | undefined
}

/** Levels open by themselves until so many rows are shown. */
const FIRST_ROWS = 200
const LONGEST_ROW = 600
const LONGEST_LINE = 5000
const MOST_MATCHES = 10_000

export class JsonSource {
  readonly #value: unknown
  readonly #text: string
  #nodes: Node[]
  #lineStarts: number[] | undefined
  #matches: { mode: JsonMode; places: (readonly (string | number)[])[] | number[] } = { mode: 'text', places: [] }

  /** Throws SyntaxError when `json` is none. */
  constructor(json: string) {
    this.#value = JSON.parse(json)
    this.#text = JSON.stringify(this.#value, null, 2)
    this.#nodes = [makeNode(this.#value, null, '', 1, 1, 1)]
    this.#openFirstLevels()
  }

  /** The whole value, indented. */
  get text(): string {
    return this.#text
  }

  count(mode: JsonMode): number {
    return mode === 'tree' ? this.#nodes.length : this.#lines().length
  }

  rows(from: number, count: number): JsonRow[] {
    return this.#nodes.slice(from, from + count).map(({ value, ...node }) => ({
      ...node,
      kind: kindOf(value),
      text: textOf(value, node.open),
    }))
  }

  lines(from: number, count: number): string[] {
    const starts = this.#lines()
    return starts.slice(from, from + count).map((start, index) => {
      const next = starts[from + index + 1]
      return shorten(this.#text.slice(start, next === undefined ? undefined : next - 1), LONGEST_LINE)
    })
  }

  /** Opens or closes the row at the index. */
  setOpen(index: number, open: boolean): void {
    const node = this.#nodes[index]
    if (node?.open === undefined || node.open === open) return
    const rest = this.#nodes.slice(open ? index + 1 : this.#endOf(index))
    this.#nodes = this.#nodes.slice(0, index).concat({ ...node, open }, open ? childrenOf(node) : [], rest)
  }

  /** The index of the row around the one at `index`; -1 for the outermost. */
  parentOf(index: number): number {
    const level = this.#nodes[index]?.level ?? 1
    for (let at = index - 1; at >= 0; at--) if ((this.#nodes[at]?.level ?? 0) < level) return at
    return -1
  }

  /** Looks for the text in names and scalars, in any case. Returns how many places there are, at most 10,000. */
  find(query: string, mode: JsonMode): number {
    const wanted = query.toLowerCase()
    const places = mode === 'tree' ? this.#findInTree(wanted) : this.#findInText(wanted)
    this.#matches = { mode, places }
    return places.length
  }

  /** The index of the row or line of the found place `at` (from 0), its levels opened. */
  reveal(at: number): number {
    const place = this.#matches.places[at]
    if (place === undefined) return 0
    return typeof place === 'number' ? place : this.#openPath(place)
  }

  #openPath(path: readonly (string | number)[]): number {
    let index = 0
    for (const name of path) {
      this.setOpen(index, true)
      const level = (this.#nodes[index]?.level ?? 0) + 1
      let at = index + 1
      while (at < this.#nodes.length && !(this.#nodes[at]?.level === level && this.#nodes[at]?.name === name)) at++
      index = at
    }
    return index
  }

  #findInTree(wanted: string): (readonly (string | number)[])[] {
    const found: (readonly (string | number)[])[] = []
    const path: (string | number)[] = []
    const visit = (value: unknown, name: string | number | null): void => {
      if (found.length >= MOST_MATCHES) return
      const scalar = typeof value === 'object' && value !== null ? '' : String(value)
      if ((typeof name === 'string' && includes(name, wanted)) || includes(scalar, wanted)) found.push([...path])
      for (const [key, child] of entriesOf(value)) {
        path.push(key)
        visit(child, key)
        path.pop()
      }
    }
    if (wanted !== '') visit(this.#value, null)
    return found
  }

  #findInText(wanted: string): number[] {
    const found: number[] = []
    if (wanted === '') return found
    const starts = this.#lines()
    for (let line = 0; line < starts.length && found.length < MOST_MATCHES; line++) {
      const end = starts[line + 1]
      if (includes(this.#text.slice(starts[line], end), wanted)) found.push(line)
    }
    return found
  }

  #lines(): number[] {
    if (this.#lineStarts !== undefined) return this.#lineStarts
    const starts = [0]
    for (let at = this.#text.indexOf('\n'); at !== -1; at = this.#text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#lineStarts = starts
    return starts
  }

  #endOf(index: number): number {
    const level = this.#nodes[index]?.level ?? 0
    let end = index + 1
    while (end < this.#nodes.length && (this.#nodes[end]?.level ?? 0) > level) end++
    return end
  }

  // Level by level, so that the outline of a large value is seen before the details of its first part.
  #openFirstLevels(): void {
    for (let level = 1; ; level++) {
      const closed = this.#nodes.filter((node) => node.level === level && node.open === false)
      const added = closed.reduce((sum, node) => sum + entriesOf(node.value).length, 0)
      if (added === 0 || (level > 1 && this.#nodes.length + added > FIRST_ROWS)) return
      this.#nodes = this.#nodes.flatMap((node) =>
        node.level === level && node.open === false ? [{ ...node, open: true }, ...childrenOf(node)] : [node],
      )
    }
  }
}

function makeNode(
  value: unknown,
  name: string | number | null,
  id: string,
  level: number,
  position: number,
  siblings: number,
): Node {
  const open = entriesOf(value).length > 0 ? false : undefined
  return { value, name, id, level, position, siblings, open }
}

function childrenOf(node: Node): Node[] {
  const entries = entriesOf(node.value)
  return entries.map(([name, value], index) =>
    makeNode(value, name, `${node.id}/${name}`, node.level + 1, index + 1, entries.length),
  )
}

function entriesOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((child, index) => [index, child])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function kindOf(value: unknown): JsonRow['kind'] {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  // JSON has no other types.
  return typeof value as JsonRow['kind']
}

function textOf(value: unknown, open: boolean | undefined): string {
  if (typeof value !== 'object' || value === null) return shorten(JSON.stringify(value), LONGEST_ROW)
  const count = Array.isArray(value) ? value.length : Object.keys(value).length
  const [before, after] = Array.isArray(value) ? '[]' : '{}'
  if (count === 0 || open === true) return `${before}${count === 0 ? after : ''}`
  const what = Array.isArray(value) ? 'item' : 'property'
  const many = Array.isArray(value) ? 'items' : 'properties'
  return `${before} ${count.toLocaleString('en-US')} ${count === 1 ? what : many} ${after}`
}

function includes(text: string, wanted: string): boolean {
  return wanted !== '' && text.toLowerCase().includes(wanted)
}

// Chromium lays a line out as a whole: one of megabytes would freeze the window. The copy button has all of it.
function shorten(line: string, most: number): string {
  return line.length > most
    ? `${cutText(line, most)} … (${(line.length - most).toLocaleString('en-US')} more characters)`
    : line
}
