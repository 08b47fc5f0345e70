// The tool `read`: lines of a text file, as many as fit.

import { cutText, toWellFormed } from '../../../shared/index.ts'
import { openInside } from './confine.ts'
import { countIn, MAX_OUTPUT_UNITS, textIn, ToolError, wordsIn, type Tool } from './tool.ts'

/** More than that is not taken into memory. */
const MAX_BYTES = 16 * 1024 * 1024
const LINES = 2_000

export const readTool: Tool = {
  name: 'read',
  description: `Reads a text file of the working folder. Gives up to ${LINES} lines from line "from" (default 1).`,
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'relative to the working folder' },
      from: { type: 'integer', minimum: 1, description: 'first line' },
      lines: { type: 'integer', minimum: 1, description: 'how many lines at most' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  title: (input) => wordsIn(input, 'path'),
  async run(input, { root }) {
    const path = textIn(input, 'path')
    const from = countIn(input, 'from', 1)
    const count = Math.min(countIn(input, 'lines', LINES), LINES)
    const text = await readText(root, path)
    if (text === '') return '[the file is empty]'
    const lines = text.split('\n')
    const last = Math.min(lines.length, from - 1 + count)
    const shown = lines.slice(from - 1, last).join('\n')
    if (from > lines.length) throw new ToolError(`${path} has only ${lines.length} lines`)
    const cut = cutText(shown, MAX_OUTPUT_UNITS)
    if (cut.length < shown.length) return `${cut}\n[cut: the lines are too long]`
    return last < lines.length ? `${cut}\n[line ${last} of ${lines.length}; go on with "from": ${last + 1}]` : cut
  },
}

/** The whole file. Rejects with ToolError when it is too large or no text. */
export async function readText(root: string, path: string, maxBytes: number = MAX_BYTES): Promise<string> {
  const handle = await openInside(root, path)
  try {
    const { size } = await handle.stat()
    if (size > maxBytes) throw new ToolError(`${path} is too large: ${size} bytes, at most ${maxBytes} can be read`)
    // Files that tell no size (of /proc) and those that grow end there, too.
    const buffer = Buffer.alloc(Math.min(maxBytes, Math.max(size, 65_536)))
    let filled = 0
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one piece after the other
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled)
      filled += bytesRead
      if (bytesRead === 0 || filled === buffer.length) break
    }
    const bytes = buffer.subarray(0, filled)
    if (bytes.includes(0)) throw new ToolError(`${path} is no text file`)
    return toWellFormed(bytes.toString('utf8'))
  } finally {
    await handle.close()
  }
}
