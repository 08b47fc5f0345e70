import { expect, test } from 'vitest'
import { toLine } from '../../../src/tools/rpc/frames.ts'

test('a message goes out as well-formed text: half a pair becomes U+FFFD, an escape that is only text stays', () => {
  const message = { whole: '😀', half: 'x\ud83d', low: '\udc00y', text: '\\ud83d', mixed: '\\\ud83d' }
  const line = toLine(message)
  expect(JSON.parse(line)).toEqual({ ...message, half: 'x\ufffd', low: '\ufffdy', mixed: '\\\ufffd' })
  expect(toLine({ a: 1 })).toBe('{"a":1}')
})
