// YAML in block style: our entry is lines of its own below its container; the rest of the text is left as it is.

import { isMap, isScalar, parseDocument, stringify, type Pair } from 'yaml'
import { HostError, type JsonObject } from '../../shared/index.ts'
import { ENTRY, type Format } from './format.ts'
import { placedAt } from './placed-error.ts'

export const yamlFormat: Format = {
  parse(text) {
    const document = parseDocument(text)
    const first = document.errors[0]
    if (first !== undefined) throw placedAt(text, first.pos[0], first.message.split('\n')[0] ?? '')
    const value: unknown = document.toJS()
    return value ?? {}
  },
  edit(text, container, entry) {
    const document = parseDocument(text)
    const pair = pairOf(document.contents, container)
    const block = (indent: number): string =>
      entry === undefined ? '' : indented({ [ENTRY]: entry }, indent, text.includes('\r\n') ? '\r\n' : '\n')
    if (pair === undefined) {
      const gap = text === '' || text.endsWith('\n') ? '' : '\n'
      return entry === undefined ? text : `${text}${gap}${container}:\n${block(2)}`
    }
    const inner = pair.value
    if (isMap(inner) && inner.flow) throw flow(container)
    const known = pairOf(inner, ENTRY)
    const indent = columnOf(text, isMap(inner) ? inner.items[0] : undefined) ?? 2
    if (known !== undefined) {
      const [start, end] = linesOf(text, known)
      return text.slice(0, start) + block(indent) + text.slice(end)
    }
    const [, after] = lineOf(text, startOf(pair) ?? 0)
    const gap = text.slice(0, after).endsWith('\n') ? '' : '\n'
    return text.slice(0, after) + gap + block(indent) + text.slice(after)
  },
}

function pairOf(node: unknown, key: string): Pair | undefined {
  return isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined
}

function startOf(pair: Pair | undefined): number | undefined {
  return isScalar(pair?.key) ? pair.key.range?.[0] : undefined
}

function columnOf(text: string, pair: Pair | undefined): number | undefined {
  const start = startOf(pair)
  return start === undefined ? undefined : start - lineOf(text, start)[0]
}

/** From the key's line to the end of the line on which the value ends. */
function linesOf(text: string, pair: Pair): [number, number] {
  const start = startOf(pair) ?? 0
  const ranged = pair.value as { range?: [number, number, number] } | null // every parsed node has one
  const end = Math.max(start, (ranged?.range?.[1] ?? start) - 1)
  return [lineOf(text, start)[0], lineOf(text, end)[1]]
}

/** Start of the line that holds `offset`, and of the next one. */
function lineOf(text: string, offset: number): [number, number] {
  const end = text.indexOf('\n', offset)
  return [text.lastIndexOf('\n', offset - 1) + 1, end === -1 ? text.length : end + 1]
}

function indented(value: JsonObject, indent: number, eol: string): string {
  return stringify(value, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((line) => ' '.repeat(indent) + line + eol)
    .join('')
}

function flow(container: string): HostError {
  return new HostError({
    code: 'BAD_REQUEST',
    message: `it has "${container}" on one line in braces, which is not edited: add the entry by hand; nothing was touched`,
  })
}
