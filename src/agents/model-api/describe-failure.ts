// Which failure an error of the AI SDK or of a provider's stream is, in words for people.

import type { AgentRunResult } from '../../engine/index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/index.ts'
import { classifyError } from '../failures/classify-error.ts'
import { parseWellFormed } from '../well-formed.ts'
import type { ProviderName } from './providers.ts'

export type Failure = Pick<
  Extract<AgentRunResult, { kind: 'dead' }>,
  'error' | 'failure' | 'retryAt' | 'rateLimited' | 'notStarted'
>

/** What the SDK's errors, those of its streams and those of `fetch` have in common. */
interface Facts {
  message: string
  status: number | undefined
  headers: Record<string, string>
  /** Of the provider's own error. */
  type: string
  body: string
}

const CONTEXT =
  /context.?(?:length|window)|prompt is too long|maximum context|too many (?:input )?tokens|input token count.*exceeds|exceeds the (?:maximum|context)/i
const TYPES: Readonly<Record<string, Partial<Failure>>> = {
  overloaded_error: { failure: 'transient', rateLimited: true },
  rate_limit_exceeded: { failure: 'transient', rateLimited: true },
  rate_limit_error: { failure: 'transient', rateLimited: true },
  api_error: { failure: 'transient' },
  server_error: { failure: 'transient' },
  timeout_error: { failure: 'transient' },
  authentication_error: { failure: 'auth' },
  permission_error: { failure: 'auth' },
  invalid_api_key: { failure: 'auth' },
  billing_error: { failure: 'credit' },
  insufficient_quota: { failure: 'quota' },
  content_filter: { failure: 'refused' },
  content_policy_violation: { failure: 'refused' },
}

/** `first`: nothing of the call has been done yet, so that an unknown model is a mistake of the start. */
export function describeFailure(error: unknown, provider: ProviderName, first: boolean, now: number): Failure {
  const facts = readFacts(error)
  const { message, status, headers, type, body } = facts
  const { failure, rateLimited, retryAfterMs } = classifyError({ message, status, headers })
  const wait = retryAfterMs ?? googleDelay(body)
  const timed = wait === undefined ? {} : { retryAt: now + wait }
  if (status === 400 || status === 413 || status === undefined) {
    if (CONTEXT.test(message) || type === 'context_length_exceeded' || status === 413)
      return { failure: 'other', error: `The conversation is too long for the model: ${message}` }
  }
  // Refused by our own fetch: it would carry the key elsewhere.
  if (message.includes('unexpected redirect'))
    return {
      failure: 'other',
      error: 'The provider sends the request on to another address, which is not followed (baseUrl)',
    }
  // The answer had begun well.
  if (status !== undefined && status < 300)
    return { failure: 'transient', error: `The answer broke off: ${message}`, ...timed }
  if (status === 404) return { failure: 'other', error: message, ...(first && { notStarted: true }) }
  // Google calls its limits of a minute quotas, too.
  if (provider === 'google' && status === 429 && !/PerDay/i.test(body) && wait !== undefined)
    return { failure: 'transient', rateLimited: true, error: message, ...timed }
  const byType = TYPES[type]
  if (byType !== undefined) return { failure: 'other', error: message, ...timed, ...byType }
  // A request that is wrong is wrong again: only what its words say for sure is taken from them.
  const kind = status === 400 && failure === 'transient' ? 'other' : failure
  return { failure: kind, error: message, ...(rateLimited && kind === 'transient' && { rateLimited }), ...timed }
}

function readFacts(error: unknown): Facts {
  const given = typeof error === 'object' && error !== null ? error : {}
  const body = textField(given, 'responseBody')
  const told = readTold(body) ?? readTold(JSON.stringify(field(given, 'data') ?? null)) ?? {}
  const status = field(given, 'statusCode')
  const headers = field(given, 'responseHeaders')
  const own = error instanceof Error ? error.message : textField(given, 'message')
  const said = textAt(told, 'message') || own || (typeof error === 'string' ? error : '')
  return {
    message: said === '' ? 'the model provider reported an error without a message' : withCause(said, given),
    status: typeof status === 'number' ? status : undefined,
    headers: typeof headers === 'object' && headers !== null ? (headers as Record<string, string>) : {}, // the SDK's type
    type: textField(given, 'code') || textAt(told, 'code') || textField(given, 'type') || textAt(told, 'type'),
    body,
  }
}

/** `fetch failed` says why in its cause alone. */
function withCause(message: string, error: object): string {
  const cause = field(error, 'cause')
  const inner = cause instanceof Error ? cause.message : ''
  const deeper = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : ''
  const why = [inner, deeper].filter((text) => text !== '' && !message.includes(text))
  return why.length === 0 ? message : `${message} (${why.join(': ')})`
}

/** The object with `message`, `type` and `code` in an error's body: `{"error": {…}}`, in a list with Google. */
function readTold(text: string): JsonObject | undefined {
  let value: JsonValue
  try {
    value = parseWellFormed(text)
  } catch {
    return undefined
  }
  const root = Array.isArray(value) ? value[0] : value
  if (!isJsonObject(root)) return undefined
  const inner = root['error'] ?? (isJsonObject(root['response']) ? root['response']['error'] : undefined)
  if (isJsonObject(inner)) return inner
  return typeof root['message'] === 'string' ? root : undefined
}

/** `"retryDelay": "34s"` in the details of an error. */
function googleDelay(body: string): number | undefined {
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

function field(error: object, key: string): unknown {
  return Reflect.get(error, key)
}

function textField(error: object, key: string): string {
  const value = field(error, key)
  return typeof value === 'string' ? value : ''
}

function textAt(value: JsonObject, key: string): string {
  const inner = value[key]
  return typeof inner === 'string' ? inner : ''
}
