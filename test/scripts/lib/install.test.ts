import { expect, test } from 'vitest'
import { differences } from '../../../scripts/lib/install.mjs'

test('packages that are missing or of another version differ from the lock', () => {
  const locked = {
    '': { version: '1.0.0' },
    'node_modules/same': { version: '1.0.0' },
    'node_modules/older': { version: '2.0.0' },
    'node_modules/missing': { version: '1.0.0' },
  }
  const installed = { 'node_modules/same': { version: '1.0.0' }, 'node_modules/older': { version: '1.9.0' } }
  expect(differences(locked, installed)).toEqual(['node_modules/older', 'node_modules/missing'])
})

test('an optional package that is not installed does not differ: it is for another platform', () => {
  const locked = { 'node_modules/binary-for-windows': { version: '1.0.0', optional: true } }
  expect(differences(locked, {})).toEqual([])
})
