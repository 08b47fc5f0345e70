// Where each `$ref` of a schema leads: to a place within it, or nowhere. Schemas are self-contained.

import { isJsonObject, type JsonValue } from '../../../shared/index.ts'
import { REFERENCES } from './dialects.ts'
import { lookUp, resolveUri, ROOT_URI, walkSchema, type Subschema } from './walk-schema.ts'

export interface Reference {
  keyword: (typeof REFERENCES)[number]
  /** Pointer of the schema that holds it. */
  from: string
  /** Pointer of the schema it leads to. */
  to: string
}

export interface SchemaMap {
  /** Every subschema, those included that only a reference makes one. */
  subschemas: Subschema[]
  references: Reference[]
  errors: string[]
}

export function mapSchema(root: JsonValue): SchemaMap {
  const subschemas = walkSchema(root)
  for (;;) {
    const { found, errors } = resolveReferences(root, subschemas)
    const known = new Set(subschemas.map(({ pointer }) => pointer))
    const more: Subschema[] = []
    for (const { to } of found) {
      const target = lookUp(root, to)
      if (known.has(to) || !isJsonObject(target)) continue
      // It stands under a keyword that holds no schemas, such as one of the author's own.
      for (const part of walkSchema(target, { pointer: to, base: baseAround(to, subschemas) })) {
        if (!known.has(part.pointer)) more.push(part)
        known.add(part.pointer)
      }
    }
    if (more.length === 0 || errors.length > 0) return { subschemas, references: found, errors }
    subschemas.push(...more)
  }
}

/** The base URI of the innermost known schema that a pointer lies in. */
function baseAround(pointer: string, subschemas: readonly Subschema[]): string {
  let nearest: Subschema | undefined
  for (const candidate of subschemas) {
    const around = pointer.startsWith(`${candidate.pointer}/`)
    if (around && candidate.pointer.length >= (nearest?.pointer.length ?? 0)) nearest = candidate
  }
  return nearest?.base ?? ROOT_URI
}

function resolveReferences(
  root: JsonValue,
  subschemas: readonly Subschema[],
): { found: Reference[]; errors: string[] } {
  const index = indexAddresses(subschemas)
  const found: Reference[] = []
  const errors: string[] = []
  for (const { schema, pointer, base } of subschemas) {
    for (const keyword of REFERENCES) {
      const reference = schema[keyword]
      if (typeof reference !== 'string') continue
      const to = leadsTo(reference, base, index, root)
      if (typeof to === 'string') found.push({ keyword, from: pointer, to })
      else errors.push(`${pointer || 'the schema'}: the ${keyword} ${JSON.stringify(reference)} ${to.problem}`)
    }
  }
  return { found, errors }
}

/** Absolute URIs (with anchors as fragments) to JSON pointers. */
function indexAddresses(subschemas: readonly Subschema[]): Map<string, string> {
  const index = new Map<string, string>([[ROOT_URI, '']])
  for (const { schema, pointer, base } of subschemas) {
    const id = schema['$id']
    if (typeof id === 'string' && id !== '' && !id.startsWith('#')) index.set(withoutFragment(base), pointer)
    const anchors = [schema['$anchor'], schema['$dynamicAnchor']]
    // Draft-07 writes an anchor as an `$id` that begins with `#`.
    if (typeof id === 'string' && id.startsWith('#')) anchors.push(id.slice(1))
    for (const anchor of anchors) {
      if (typeof anchor === 'string' && anchor !== '') index.set(`${withoutFragment(base)}#${anchor}`, pointer)
    }
  }
  return index
}

function leadsTo(
  reference: string,
  base: string,
  index: ReadonlyMap<string, string>,
  root: JsonValue,
): string | { problem: string } {
  const uri = resolveUri(reference, base)
  if (uri === undefined) return { problem: 'is no URI reference' }
  const document = index.get(withoutFragment(uri))
  if (document === undefined) {
    return { problem: 'leads out of the schema: remote references are refused, put what it needs into $defs' }
  }
  const fragment = decode(uri.slice(withoutFragment(uri).length + 1))
  if (fragment === undefined) return { problem: 'has a damaged fragment' }
  const pointer =
    fragment === '' || fragment.startsWith('/') ? document + fragment : index.get(`${withoutFragment(uri)}#${fragment}`)
  const target = pointer === undefined ? undefined : lookUp(root, pointer)
  if (pointer === undefined || target === undefined) return { problem: 'leads to nothing in the schema' }
  if (typeof target !== 'boolean' && (typeof target !== 'object' || target === null || Array.isArray(target))) {
    return { problem: 'leads to something that is no schema' }
  }
  return pointer
}

function withoutFragment(uri: string): string {
  const hash = uri.indexOf('#')
  return hash === -1 ? uri : uri.slice(0, hash)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A circle of references that judge the same value for ever, as pointers; undefined when there is none. */
export function findEndlessReference(
  subschemas: readonly Subschema[],
  references: readonly Reference[],
): string[] | undefined {
  const edges = new Map<string, string[]>()
  const connect = (from: string, to: string): void => {
    const known = edges.get(from)
    if (known) known.push(to)
    else edges.set(from, [to])
  }
  for (const { pointer, parent } of subschemas) if (parent?.inPlace) connect(parent.pointer, pointer)
  for (const { from, to } of references) connect(from, to)
  const state = new Map<string, 'open' | 'done'>()
  for (const start of edges.keys()) {
    const circle = searchFrom(start, edges, state)
    if (circle) return circle
  }
  return undefined
}

/** Depth first, without recursion: a chain of references can be as long as the schema. */
function searchFrom(
  start: string,
  edges: ReadonlyMap<string, string[]>,
  state: Map<string, 'open' | 'done'>,
): string[] | undefined {
  if (state.has(start)) return undefined
  const path: { node: string; next: number }[] = [{ node: start, next: 0 }]
  state.set(start, 'open')
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const target = edges.get(top.node)?.[top.next++]
    if (target === undefined) {
      state.set(top.node, 'done')
      path.pop()
    } else if (state.get(target) === 'open') {
      const from = path.findIndex(({ node }) => node === target)
      return [...path.slice(from).map(({ node }) => node), target]
    } else if (!state.has(target)) {
      state.set(target, 'open')
      path.push({ node: target, next: 0 })
    }
  }
  return undefined
}
