import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLines, type StreamLine } from '../../../src/agents/process/read-lines.ts'

async function collect(chunks: readonly Uint8Array[], maxBytes?: number): Promise<StreamLine[]> {
  const lines: StreamLine[] = []
  // Objects, so that empty chunks and their borders are kept as given.
  for await (const line of readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), maxBytes))
    lines.push(line)
  return lines
}

describe('reading lines', () => {
  it('gives the same lines however the bytes are cut', async () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''))
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.array(fc.nat()), async (lines, end, cuts) => {
        const bytes = Buffer.from(lines.map((text) => text + end).join(''))
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
        const chunks = places.slice(1).map((place, n) => bytes.subarray(places[n], place))
        expect(await collect(chunks)).toEqual(lines.map((text) => ({ text })))
      }),
    )
  })

  it('takes what follows the last line end for a line', async () => {
    expect(await collect([Buffer.from('a\nb')])).toEqual([{ text: 'a' }, { text: 'b' }])
  })

  it('takes a line of the greatest length, also with another in the same chunk, and stops at a longer one', async () => {
    expect(await collect([Buffer.from('12345\n1\n')], 5)).toEqual([{ text: '12345' }, { text: '1' }])
    expect(await collect([Buffer.from('ok\n123'), Buffer.from('456\nlater\n')], 5)).toEqual([
      { text: 'ok' },
      { overflow: 6 },
    ])
  })
})
