import { expect, test } from 'vitest'
import { createCrashPolicy } from '../../src/main/crash-policy.ts'

test('the first crash reloads, another within a minute asks', () => {
  let now = 0
  const policy = createCrashPolicy(() => now)
  expect(policy.next()).toBe('reload')
  now = 59_999
  expect(policy.next()).toBe('ask')
})

test('a crash long after the last one reloads again', () => {
  let now = 0
  const policy = createCrashPolicy(() => now)
  policy.next()
  now = 60_000
  expect(policy.next()).toBe('reload')
})
