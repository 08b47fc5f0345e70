// Syntax that the parser knows and the JavaScript engine at hand does not: found by compiling, without running anything.

import { Script } from 'node:vm'
import type { PositionMap } from '../engine.ts'
import { toWritten } from './positions.ts'
import type { SourceText } from './source-text.ts'
import type { Finding } from './source-text.ts'

const FILE = 'weft-script'
const STRICT = '"use strict";'

export function findRuntimeSyntaxError(source: SourceText, code: string, positions: PositionMap): Finding | undefined {
  try {
    // Compiled only: `new Script` runs nothing.
    void new Script(STRICT + code, { filename: FILE })
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) return undefined
    const tooDeep = error instanceof RangeError
    const start = offsetOf(source, error, positions)
    return {
      severity: 'error',
      code: tooDeep ? 'parse/too-deep' : 'parse/runtime-syntax',
      message: tooDeep
        ? 'the script is nested too deep to be run'
        : `the JavaScript engine at hand does not take this: ${error.message}`,
      hint: tooDeep ? 'build deep values in steps' : `it is that of Node ${process.versions.node}`,
      start,
      end: Math.min(start + 1, source.text.length),
    }
  }
}

/** V8 says where in the first lines of the stack: `file:line`, the line's text, and a caret under the place. */
function offsetOf(source: SourceText, error: Error, positions: PositionMap): number {
  const match = new RegExp(`^${FILE}:(\\d+)\\r?\\n[^\\n]*\\r?\\n( *)\\^`).exec(error.stack ?? '')
  if (!match) return 0
  const line = Number(match[1])
  const column = (match[2] ?? '').length + 1 - (line === 1 ? STRICT.length : 0)
  const written = toWritten(positions, { line, column: Math.max(1, column) })
  return Math.min(source.lineStart(written.line) + written.column - 1, source.text.length)
}
