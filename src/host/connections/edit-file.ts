// One entry set in or taken out of a text that someone else owns. Whatever the format, the edited text is read again and has
// to mean what the old one meant but for that entry; otherwise nothing is offered.

import { isDeepStrictEqual } from 'node:util'
import { HostError, type JsonObject } from '../../shared/index.ts'
import { ENTRY, type Format } from './format.ts'
import type { Harness } from './harnesses.ts'
import { jsonFormat } from './json-format.ts'
import { tomlFormat } from './toml-format.ts'
import { yamlFormat } from './yaml-format.ts'

const FORMATS: Record<Harness['format'], Format> = {
  json: jsonFormat(false),
  jsonc: jsonFormat(true),
  toml: tomlFormat,
  yaml: yamlFormat,
}

export interface Edit {
  text: string
  state: 'absent' | 'connected' | 'changed'
}

/** Keys of ours are set, others that the user added to our entry stay. Throws BAD_REQUEST when it can't be done safely. */
export function setEntry({ format, container }: Harness, text: string, wanted: JsonObject | undefined): Edit {
  const { parse, edit } = FORMATS[format]
  const whole = parse(text)
  if (!isRecord(whole)) throw refusal('holds no object at its top')
  const servers = whole[container] ?? {}
  if (!isRecord(servers)) throw refusal(`holds something else than servers under "${container}"`)
  const known = servers[ENTRY]
  if (known !== undefined && !isRecord(known)) throw refusal(`holds something else than a server as "${ENTRY}"`)
  const next = wanted && { ...known, ...wanted }
  if (isDeepStrictEqual({ ...known }, { ...next }) && (known === undefined) === (next === undefined))
    return { text, state: known === undefined ? 'absent' : 'connected' }
  // What was read from JSON, TOML or YAML and merged with ours is written back in the same format.
  const edited = edit(text, container, next as JsonObject | undefined)
  const { [ENTRY]: _gone, ...others } = servers
  const after = { ...whole, [container]: next === undefined ? others : { ...others, [ENTRY]: next } }
  if (!means(parse, edited, container, after))
    throw refusal('is written in a way that can’t be edited safely: add the entry by hand')
  return { text: edited, state: known === undefined ? 'absent' : 'changed' }
}

function means(parse: Format['parse'], text: string, container: string, value: Record<string, unknown>): boolean {
  const normal = (given: unknown): unknown => {
    if (!isRecord(given)) return given
    const servers = given[container]
    // A container that became empty may be null now, or was never there.
    return toPlain({ ...given, [container]: isRecord(servers) ? servers : {} })
  }
  try {
    return isDeepStrictEqual(normal(parse(text)), normal(value))
  } catch {
    return false
  }
}

/** Parsers differ in prototypes; values are what counts. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain)
  if (value instanceof Date || !isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPlain(inner)]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refusal(why: string): HostError {
  return new HostError({ code: 'BAD_REQUEST', message: `it ${why}; nothing was touched` })
}
