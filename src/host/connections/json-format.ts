// JSON, with or without comments: only the entry's own characters are put in, replaced or taken out. (jsonc-parser's own
// insertions would lay out the neighbours anew.)

import {
  applyEdits,
  findNodeAtLocation,
  modify,
  parse,
  parseTree,
  printParseErrorCode,
  type ParseError,
} from 'jsonc-parser'
import type { JsonObject } from '../../shared/index.ts'
import { ENTRY, type Format } from './format.ts'
import { placedAt } from './placed-error.ts'

export function jsonFormat(comments: boolean): Format {
  return {
    parse(text) {
      if (text.trim() === '') return {}
      const errors: ParseError[] = []
      const value: unknown = parse(text, errors, { disallowComments: !comments, allowTrailingComma: comments })
      const first = errors[0]
      if (first !== undefined) throw placedAt(text, first.offset, printParseErrorCode(first.error))
      return value
    },
    edit(text, container, entry) {
      if (text.trim() === '') return `${JSON.stringify({ [container]: { [ENTRY]: entry } }, null, 2)}\n`
      if (entry === undefined) return applyEdits(text, modify(text, [container, ENTRY], undefined, {}))
      return put(text, container, entry)
    },
  }
}

function put(text: string, container: string, entry: JsonObject): string {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const servers = root && findNodeAtLocation(root, [container])
  const known = servers && findNodeAtLocation(servers, [ENTRY])
  const { indent, eol } = styleOf(text)
  const write = (value: JsonObject, depth: number): string => {
    if (indent === '') return JSON.stringify(value)
    return JSON.stringify(value, null, indent).replaceAll('\n', eol + indent.repeat(depth))
  }
  if (known !== undefined)
    return text.slice(0, known.offset) + write(entry, 2) + text.slice(known.offset + known.length)
  const [object, depth, name, value] =
    servers === undefined ? [root, 1, container, { [ENTRY]: entry }] : [servers, 2, ENTRY, entry]
  if (object === undefined) return text
  // In front of the others: the comments and commas between those stay as they are.
  const at = object.offset + 1
  const line = (levels: number): string => (indent === '' ? '' : eol + indent.repeat(levels))
  const isFirst = (object.children ?? []).length === 0
  const inside = text.slice(at, object.offset + object.length - 1)
  const close = !isFirst ? ',' : inside.includes('\n') ? '' : line(depth - 1)
  const gap = !isFirst && !/^\s*\n/.test(inside) ? line(depth) : ''
  const piece = `${line(depth)}${JSON.stringify(name)}: ${write(value, depth)}${close}${gap}`
  return text.slice(0, at) + piece + text.slice(at)
}

/** As the file is written; what is on one line stays there, `indent` is empty then. */
function styleOf(text: string): { indent: string; eol: string } {
  const indent = text.trim().includes('\n') ? (/^([ \t]+)["}]/m.exec(text)?.[1] ?? '  ') : ''
  return { indent: text.trim() === '{}' ? '  ' : indent, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}
