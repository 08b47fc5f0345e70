// From a position in the code that the sandbox runs back to the place in the file as written.

import type { SourcePosition } from '../../shared/index.ts'
import type { PositionMap } from '../engine.ts'

/** Lines and columns from 1, as V8 counts them in stack traces. Positions that no rewriting touched are answered as they are. */
export function toWritten(map: PositionMap, position: SourcePosition): SourcePosition {
  const entry = findLine(map, position.line)
  if (entry === undefined) return { line: position.line, column: position.column }
  const line = entry.written ?? position.line
  let column = position.column
  for (let i = entry.shifts.length - 1; i >= 0; i--) {
    const [generated, written] = entry.shifts[i] ?? [1, 1]
    if (generated > position.column) continue
    column = written + (position.column - generated)
    // What was put in has no place of its own: it is shown where the next written text begins.
    const next = entry.shifts[i + 1]
    if (next !== undefined) column = Math.min(column, next[1])
    break
  }
  return { line, column }
}

function findLine(map: PositionMap, line: number): PositionMap[number] | undefined {
  let low = 0
  let high = map.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const entry = map[middle]
    if (entry === undefined || entry.line === line) return entry
    if (entry.line < line) low = middle + 1
    else high = middle - 1
  }
  return undefined
}
