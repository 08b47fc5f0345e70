import { expect, test } from 'vitest'
import { callLimitMs } from '../../../src/tools/server/time-limits.ts'

test.each([
  ['opencode', true, undefined, Infinity],
  ['opencode', false, undefined, 50_000],
  ['codex-mcp-client', true, undefined, 285_000],
  ['claude-code', false, undefined, Infinity],
  ['gemini-cli-mcp-client', false, undefined, Infinity],
  ['dsh', true, undefined, 50_000],
  [undefined, false, undefined, 50_000],
  ['codex', true, 0, Infinity],
  ['claude-code', false, 10, 10_000],
  ['claude-code', false, 30 * 24 * 3600, Infinity],
])('a call of %s (progress %s, setting %s) is answered within %s ms', (name, hasToken, setting, expected) => {
  expect(callLimitMs(name, hasToken, setting)).toBe(expected)
})
