// Cuts a byte stream into lines, decoded whole, so that a character split over two chunks survives; bounded in memory.

import type { Readable } from 'node:stream'

/** Longest line taken, without its end. An answer of tens of megabytes is rare but legal. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024

export type StreamLine = { text: string } | { overflow: number }

/**
 * The lines of `stream`, without `\n` or `\r\n`; what follows the last line end is a line too. A line over `maxBytes` gives
 * `{overflow}` and ends the iteration, because framing is lost. Reading goes on only as lines are taken. The stream is not
 * destroyed when the loop is left; whoever leaves it resumes or destroys the stream.
 */
export async function* readLines(stream: Readable, maxBytes: number = MAX_LINE_BYTES): AsyncGenerator<StreamLine> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    // Without an encoding set, a child's pipe gives Buffers.
    const bytes = chunk as Buffer
    let start = 0
    for (;;) {
      const end = bytes.indexOf(0x0a, start)
      const piece = bytes.subarray(start, end === -1 ? undefined : end)
      heldBytes += piece.length
      if (heldBytes > maxBytes) {
        yield { overflow: heldBytes }
        return
      }
      held.push(piece)
      if (end === -1) break
      yield { text: decodeLine(held) }
      held = []
      heldBytes = 0
      start = end + 1
    }
  }
  if (heldBytes > 0) yield { text: decodeLine(held) }
}

function decodeLine(pieces: Buffer[]): string {
  const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
  const text = bytes.toString('utf8')
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
