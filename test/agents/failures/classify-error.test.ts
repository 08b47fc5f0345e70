import { describe, expect, it } from 'vitest'
import { classifyError } from '../../../src/agents/failures/classify-error.ts'

describe('errors of CLIs and providers', () => {
  it.each([
    ['Claude AI usage limit reached', undefined, { failure: 'quota' }],
    [
      "You've hit your usage limit. Try again in 3 hours 5 minutes.",
      undefined,
      { failure: 'quota', retryAfterMs: 11_100_000 },
    ],
    ['You exceeded your current quota, please check your plan and billing details.', 429, { failure: 'quota' }],
    ['Credit balance is too low', 400, { failure: 'credit' }],
    ['anything', 402, { failure: 'credit' }],
    [
      'exceeded retry limit, last status: 429 Too Many Requests',
      undefined,
      { failure: 'transient', rateLimited: true },
    ],
    ['Rate limit reached for requests', undefined, { failure: 'transient', rateLimited: true }],
    ['slow down', 429, { failure: 'transient', rateLimited: true }],
    ['Overloaded', 529, { failure: 'transient', rateLimited: true }],
    ['fake failure 401', 401, { failure: 'auth' }],
    ['Invalid API key · Please run /login', undefined, { failure: 'auth' }],
    ['Not logged in', undefined, { failure: 'auth' }],
    ['the response was stopped by the content filter', 400, { failure: 'refused' }],
    ['unexpected status 503 Service Unavailable', undefined, { failure: 'transient' }],
    ['stream disconnected before completion', undefined, { failure: 'transient' }],
    ['connect ECONNREFUSED 127.0.0.1:1', undefined, { failure: 'transient' }],
    ['bad gateway', 502, { failure: 'transient' }],
    ['the model does not exist', 404, { failure: 'other' }],
  ])('%s (%s) is %j', (message, status, expected) => {
    expect(classifyError({ message, status })).toEqual(expected)
  })

  it('takes the time to wait from headers', () => {
    const limited = { message: 'rate limit', status: 429 }
    expect(classifyError({ ...limited, headers: { 'retry-after': '7' } }).retryAfterMs).toBe(7000)
    expect(classifyError({ ...limited, headers: { 'retry-after-ms': '250' } }).retryAfterMs).toBe(250)
    const date = new Date(Date.now() + 60_000).toUTCString()
    const wait = classifyError({ ...limited, headers: { 'retry-after': date } }).retryAfterMs ?? 0
    expect(wait).toBeGreaterThan(50_000)
    expect(wait).toBeLessThanOrEqual(60_000)
  })

  it('takes the time of a reset from the words', () => {
    const at = Math.floor(Date.now() / 1000) + 600
    const wait = classifyError({ message: `Claude AI usage limit reached|${at}` }).retryAfterMs ?? 0
    expect(wait).toBeGreaterThan(590_000)
    expect(wait).toBeLessThanOrEqual(600_000)
  })
})
