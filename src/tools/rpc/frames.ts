// One line of a connection as a JSON-RPC message, or the error that the specification has for it. Shared by the server's
// side and the bridge.

import { isJsonObject, type JsonObject } from '../../shared/index.ts'

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
/** The server's own: the connection to the host is gone, or it has too much to do. */
export const SERVER_ERROR = -32000

export type RpcId = string | number

export type Frame =
  | { kind: 'request'; id: RpcId; method: string; message: JsonObject }
  | { kind: 'notification'; method: string; message: JsonObject }
  /** An answer to a request of ours. */
  | { kind: 'response'; id: RpcId | null; message: JsonObject }
  | { kind: 'bad'; id: RpcId | null; code: number; reason: string }

/** Judges one line. 0 and "" are ids like any other. */
export function readFrame(text: string): Frame {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'bad', id: null, code: PARSE_ERROR, reason: `Parse error: the frame is not JSON: ${reason}` }
  }
  if (Array.isArray(value)) return bad(null, 'batches are not part of this protocol')
  if (!isJsonObject(value)) return bad(null, 'a frame has to be a JSON object')
  const given = value['id']
  const id = isRpcId(given) ? given : null
  if (value['jsonrpc'] !== '2.0') return bad(id, '"jsonrpc" has to be "2.0"')
  const method = value['method']
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response', id, message: value }
  if (typeof method !== 'string') return bad(id, '"method" has to be a string')
  const params = value['params']
  if (params !== undefined && !isJsonObject(params)) return bad(id, '"params" has to be an object')
  if (!('id' in value)) return { kind: 'notification', method, message: value }
  if (id === null) return bad(null, '"id" has to be a string or a whole number')
  return { kind: 'request', id, method, message: value }
}

function bad(id: RpcId | null, reason: string): Frame {
  return { kind: 'bad', id, code: INVALID_REQUEST, reason: `Invalid request: ${reason}` }
}

function isRpcId(value: unknown): value is RpcId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))
}

export function errorFrame(id: RpcId | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })
}

/** JSON.stringify escapes lone surrogates alone, so each such escape is one. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/** A message as one line of well-formed text: half a pair in it makes later requests of some clients fail for ever. */
export function toLine(message: unknown): string {
  const text = JSON.stringify(message)
  return text.includes('\\ud') ? text.replace(LONE_SURROGATE, '$1\\ufffd') : text
}
