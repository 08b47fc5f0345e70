import { expect, test } from 'vitest'
import { starterOf } from '../../../../src/renderer/state/runs/starter.ts'

test('who started a run is named, unless it was the user at the window', () => {
  expect(starterOf({ kind: 'window' })).toBeUndefined()
  expect(starterOf({ kind: 'browser' })).toBeUndefined()
  expect(starterOf({ kind: 'cli' })).toBe('by command line')
  expect(starterOf({ kind: 'harness', name: 'codex' })).toBe('by codex')
  expect(starterOf({ kind: 'harness' })).toBe('by harness')
})
