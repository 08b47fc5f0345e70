import { expect, test } from 'vitest'
import { isNewerVersion } from '../../../src/shared/index.ts'

test.each([
  ['0.2.0', '0.1.9', true],
  ['1.0.0', '0.99.99', true],
  ['0.1.10', '0.1.9', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.1.1', false],
  ['0.1.1-beta.2', '0.1.1', false],
  ['0.2.0-beta.2', '0.1.1', true],
  ['next', '0.1.1', false],
  ['0.2', '0.1.1', false],
  ['0.2.0', '', false],
])('%s is newer than %s: %s', (version, other, is) => {
  expect(isNewerVersion(version, other)).toBe(is)
})
