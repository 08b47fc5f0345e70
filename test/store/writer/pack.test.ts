import { expect, test } from 'vitest'
import { packOperation, unpackOperation } from '../../../src/store/writer/pack.ts'
import type { WriteOperation } from '../../../src/store/writer/protocol.ts'

const place = { runId: 'run', agent: 3, path: '/agent:2', key: 'key', startedSeq: 7 }

test.each<WriteOperation>([
  { kind: 'call', ...place, prompt: '"look"', options: '{}' },
  {
    kind: 'close',
    ...place,
    outcome: 'completed',
    result: '"done"',
    usage: null,
    durationMs: 1.5,
    origin: 'earlier',
    rejections: 2,
    branch: 'weft/3',
  },
  { kind: 'pin', pin: 'run', pinned: true },
])('what is packed comes out as it was: $kind', (operation) => {
  const numbered = { id: 5, operation }
  expect(unpackOperation(structuredClone(packOperation(numbered)))).toStrictEqual(numbered)
})

test('a call travels as a list', () => {
  expect(packOperation({ id: 5, operation: { kind: 'call', ...place, prompt: '1', options: '2' } })).toHaveLength(9)
})
