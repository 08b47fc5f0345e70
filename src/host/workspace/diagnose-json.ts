// What is wrong with the JSON files beside scripts, each finding at its own place in the text.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse, type AnyNode, type DocumentNode, type ValueNode } from '@humanwhocodes/momoa'
import { AgentsError, parseFixtures } from '../../agents/index.ts'
import type { Diagnostic, SourceRange } from '../../shared/index.ts'
import { ARGS_SCHEMA_ENDING, FIXTURES_ENDING } from './companions.ts'

/** A finding by its JSON pointer; the empty one is the whole document. */
interface Finding {
  pointer: string
  message: string
}

/** Undefined for a file that is no JSON. */
export function diagnoseJson(text: string, fileName: string): Diagnostic[] | undefined {
  if (!fileName.endsWith('.json')) return undefined
  const tree = parseTree(text)
  if (!('body' in tree)) return [tree]
  if (fileName.endsWith(FIXTURES_ENDING))
    return findInFixtures(text, fileName).map((finding) => diagnose(tree, 'fixtures/invalid', finding))
  if (fileName.endsWith(ARGS_SCHEMA_ENDING))
    return findInSchema(JSON.parse(text)).map((finding) => diagnose(tree, 'args-schema/invalid', finding))
  return []
}

function parseTree(text: string): DocumentNode | Diagnostic {
  try {
    return parse(text, { mode: 'json', ranges: true })
  } catch (error) {
    const whole = error instanceof Error ? error.message : String(error)
    // momoa puts the place behind its message.
    const [, message = whole, line = '1', column = '1'] = /^(.*?)\.?\s*\((\d+):(\d+)\)$/s.exec(whole) ?? []
    const at = { line: Number(line), column: Number(column) }
    const range = { ...at, endLine: at.line, endColumn: at.column + 1 }
    return { severity: 'error', code: 'json/syntax', message: `This is not JSON: ${message}`, ...range }
  }
}

function findInFixtures(text: string, fileName: string): Finding[] {
  try {
    parseFixtures(text, fileName)
    return []
  } catch (error) {
    if (!(error instanceof AgentsError)) throw error
    // Each violation begins with its pointer.
    return error.violations.map((violation) => {
      const [, pointer = '', message = violation] = /^(\/\S*) (.*)$/s.exec(violation) ?? []
      // A field too many is marked itself, not the object it stands in.
      const [, field] = /^has an unknown field "(.+?)"/.exec(message) ?? []
      const whole = pointer === '/' ? '' : pointer
      return { pointer: field === undefined ? whole : `${whole}/${toPointerPart(field)}`, message }
    })
  }
}

let ajv: Ajv2020 | undefined

function findInSchema(value: unknown): Finding[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ pointer: '', message: 'An args schema is a JSON Schema: an object' }]
  ajv ??= new Ajv2020({ allErrors: true, strict: false, logger: false })
  try {
    if (ajv.validateSchema(value) === true) return []
  } catch (error) {
    return [{ pointer: '/$schema', message: error instanceof Error ? error.message : String(error) }]
  }
  const seen = new Set<string>()
  return (ajv.errors ?? []).flatMap(({ instancePath: pointer, message: said = 'is not valid', params }) => {
    // The first of a union's branches is enough.
    if (seen.has(pointer)) return []
    seen.add(pointer)
    const allowed: unknown = params['allowedValues']
    const message = Array.isArray(allowed) ? `must be one of ${allowed.join(', ')}` : said
    return [{ pointer, message: `${pointer.split('/').at(-1) || 'The schema'} ${message}` }]
  })
}

function toPointerPart(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1')
}

function diagnose(tree: DocumentNode, code: string, { pointer, message }: Finding): Diagnostic {
  return { severity: 'error', code, message, ...placeOf(tree, pointer) }
}

/** Where the value at a pointer stands, or the nearest one around it. */
function placeOf(tree: DocumentNode, pointer: string): SourceRange {
  let node: ValueNode = tree.body
  let place: AnyNode = node
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replace(/~1/g, '/').replace(/~0/g, '~')
    if (node.type === 'Object') {
      const member = node.members.find(
        (known) => (known.name.type === 'String' ? known.name.value : known.name.name) === name,
      )
      if (member === undefined) break
      place = member.name
      node = member.value
    } else if (node.type === 'Array') {
      const element = node.elements[Number(name)]
      if (element === undefined) break
      node = element.value
      place = node
    } else break
  }
  const { start, end } = place.loc
  // Of something long its first line's beginning is enough: a page of red helps nobody.
  const endsAt = start.line === end.line ? end : { line: start.line, column: start.column + 1 }
  return { line: start.line, column: start.column, endLine: endsAt.line, endColumn: endsAt.column }
}
