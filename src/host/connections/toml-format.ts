// TOML: our table and its sub-tables are lines of their own; the rest of the text is left as it is.

import { parse, stringify, TomlError } from 'smol-toml'
import { ENTRY, type Format } from './format.ts'
import { placedError } from './placed-error.ts'

const HEADER = /^\s*\[/

export const tomlFormat: Format = {
  parse(text) {
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof TomlError)) throw error
      throw placedError(error.line, error.column, error.message.split('\n')[0] ?? '')
    }
  },
  edit(text, container, entry) {
    const eol = text.includes('\r\n') ? '\r\n' : '\n'
    const { lines, at } = withoutTable(text.split(/(?<=\n)/), container)
    if (entry === undefined) return lines.join('')
    const table =
      stringify({ [container]: { [ENTRY]: entry } })
        .trim()
        .replaceAll('\n', eol) + eol
    if (at !== undefined) return [...lines.slice(0, at), table, ...lines.slice(at)].join('')
    const rest = lines.join('')
    const gap = rest === '' ? '' : rest.endsWith('\n') ? eol : eol + eol
    return rest + gap + table
  },
}

/** `at`: the line where the table was. */
function withoutTable(lines: readonly string[], container: string): { lines: string[]; at: number | undefined } {
  const own = new RegExp(String.raw`^\s*\[\s*["']?${container}["']?\s*\.\s*["']?${ENTRY}["']?\s*[.\]]`)
  const kept: string[] = []
  let at: number | undefined
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (!own.test(line)) {
      kept.push(line)
      continue
    }
    at ??= kept.length
    index = endOfTable(lines, index) - 1
  }
  return { lines: kept, at }
}

/** Comments and blank lines before the next table are that one's. */
function endOfTable(lines: readonly string[], start: number): number {
  let end = start + 1
  while (end < lines.length && !HEADER.test(lines[end] ?? '')) end++
  while (end > start + 1 && /^\s*(#.*)?$/.test(lines[end - 1] ?? '')) end--
  return end
}
