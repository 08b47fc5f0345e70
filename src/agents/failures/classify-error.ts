// Which kind of failure an error of a CLI or a provider is, from its HTTP status where one is known, else from its words.

import type { FailureKind } from '../../shared/index.ts'

export interface ErrorClass {
  failure: FailureKind
  /** Fewer agents at once would have gone well. */
  rateLimited?: boolean
  /** From now, in ms, where the error says it. */
  retryAfterMs?: number
}

export interface ErrorFacts {
  message: string
  /** HTTP status. */
  status?: number | undefined
  /** Lower-case names. */
  headers?: Readonly<Record<string, string | undefined>> | undefined
}

const QUOTA =
  /usage limit|quota|hit your (?:\w+ )?limit|(?<!rate.)limit (?:has been )?reached|limit will reset|out of (?:extra )?usage/i
const CREDIT = /credit balance|insufficient (?:funds|credit|balance)|payment required|billing|\bcredits?\b/i
const RATE = /rate.?limit|too many requests|\b429\b|overloaded|\b529\b|at capacity/i
const AUTH =
  /not logged in|\blog ?in\b|sign ?in|unauthori[sz]ed|authenticat|api[ _-]?key|\b401\b|\b403\b|forbidden|\bauth\b|credentials/i
const REFUSED =
  /content.?(?:policy|filter|management)|\bsafety\b|(?<!connection )\brefus(?:ed|al)\b|usage polic(?:y|ies)|prohibited/i
const TRANSIENT =
  /ECONN\w+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|network|fetch failed|socket hang|stream (?:disconnected|error|closed)|timed? ?out|\b50[0234]\b|temporar|transient|unavailable|internal server error|connection (?:error|reset|closed|refused)/i

export function classifyError({ message, status, headers = {} }: ErrorFacts): ErrorClass {
  const wait = retryAfter(message, headers)
  const timed = wait === undefined ? {} : { retryAfterMs: wait }
  const byStatus = status === undefined ? undefined : classifyStatus(status, message)
  return { ...(byStatus ?? classifyWords(message)), ...timed }
}

function classifyStatus(status: number, message: string): ErrorClass | undefined {
  if (status === 402) return { failure: 'credit' }
  // Providers call an empty account a rate limit too.
  if (status === 429) return QUOTA.test(message) || CREDIT.test(message) ? classifyWords(message) : limited
  if (status === 401 || status === 403) return { failure: REFUSED.test(message) ? 'refused' : 'auth' }
  if (status === 529) return limited
  if (status === 408 || status === 425 || status >= 500) return { failure: 'transient' }
  return undefined
}

const limited: ErrorClass = { failure: 'transient', rateLimited: true }

function classifyWords(message: string): ErrorClass {
  if (QUOTA.test(message)) return { failure: 'quota' }
  if (CREDIT.test(message)) return { failure: 'credit' }
  if (RATE.test(message)) return limited
  if (REFUSED.test(message)) return { failure: 'refused' }
  if (AUTH.test(message)) return { failure: 'auth' }
  if (TRANSIENT.test(message)) return { failure: 'transient' }
  return { failure: 'other' }
}

const UNITS: readonly [RegExp, number][] = [
  [/(\d+(?:\.\d+)?)\s*(?:days?|d)\b/i, 86_400_000],
  [/(\d+(?:\.\d+)?)\s*(?:hours?|hrs?|h)\b/i, 3_600_000],
  [/(\d+(?:\.\d+)?)\s*(?:minutes?|mins?|m)\b/i, 60_000],
  [/(\d+(?:\.\d+)?)\s*(?:seconds?|secs?|s)\b/i, 1_000],
  [/(\d+(?:\.\d+)?)\s*ms\b/i, 1],
]

function retryAfter(message: string, headers: NonNullable<ErrorFacts['headers']>): number | undefined {
  const precise = Number(headers['retry-after-ms'])
  if (precise > 0) return precise
  const header = headers['retry-after']
  if (header !== undefined) {
    const ms = /^\s*\d+(?:\.\d+)?\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
    if (ms > 0) return ms
  }
  // Claude Code: "usage limit reached|1767225600".
  const stamp = /\|(\d{10})\b/.exec(message)?.[1]
  if (stamp !== undefined) return Math.max(0, Number(stamp) * 1000 - Date.now())
  const told = /(?:try again|retry(?:ing)?|reset\w*|wait)\s+(?:in|after|for)\s+([^.!\n]{1,60})/i.exec(message)?.[1]
  if (told === undefined) return undefined
  let sum = 0
  for (const [unit, ms] of UNITS) sum += Number(unit.exec(told)?.[1] ?? 0) * ms
  return sum > 0 ? sum : undefined
}
