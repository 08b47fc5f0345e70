// What the window and the worker that holds a large JSON value say to each other.

import type { JsonSource } from './json-source.ts'

type Methods = Pick<JsonSource, 'count' | 'rows' | 'lines' | 'setOpen' | 'parentOf' | 'find' | 'reveal'>
export type JsonMethod = keyof Methods | 'text'

/** The first message: the JSON text. */
export type JsonRequest = { id: number; open: string } | { id: number; method: JsonMethod; args: readonly unknown[] }

export type JsonReply = { id: number; ok: true; value: unknown } | { id: number; ok: false; message: string }

/** Does what a request asks for. Throws SyntaxError for a text that is no JSON. */
export function callSource(source: JsonSource, method: JsonMethod, args: readonly unknown[]): unknown {
  if (method === 'text') return source.text
  // The caller's types tie the arguments to the method; a message can't carry that.
  return (source[method] as (...given: unknown[]) => unknown).apply(source, [...args])
}
