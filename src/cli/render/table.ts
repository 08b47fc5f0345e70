// Columns of text, as wide as their widest cell.

import stringWidth from 'string-width'
import { fitWidth, padWidth } from './text.ts'

export interface TableOptions {
  /** Columns of the terminal; the last column of a longer line is cut. Infinity when piped. */
  width: number
  /** Applied to the heading line. */
  heading?: (text: string) => string
}

/** One line a row under a line of headings; no trailing spaces. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { width, heading = (text) => text }: TableOptions,
): string[] {
  const widths = headings.map((title, column) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[column] ?? ''))),
  )
  const toLine = (cells: readonly string[]): string =>
    fitWidth(
      cells
        .map((cell, column) => (column === cells.length - 1 ? cell : padWidth(cell, widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
      width,
    )
  return [heading(toLine(headings)), ...rows.map(toLine)]
}
