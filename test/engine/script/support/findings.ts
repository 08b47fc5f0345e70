// Short forms of findings for whole-list comparison.

import { analyzeScript, type AnalyzeOptions } from '../../../../src/engine/script/analyze.ts'
import type { Diagnostic } from '../../../../src/shared/index.ts'

export const META = "export const meta = { name: 'a', description: 'd' }\n"

/** `2:1 error refused/import` for each finding. */
export function brief(text: string, fileName = 'a.js', options?: AnalyzeOptions): string[] {
  return findings(text, fileName, options).map((d) => `${d.line}:${d.column} ${d.severity} ${d.code}`)
}

export function findings(text: string, fileName = 'a.js', options?: AnalyzeOptions): Diagnostic[] {
  return analyzeScript({ text, fileName, path: null }, options).diagnostics
}

/** The text a finding covers. */
export function covered(text: string, { line, column, endLine, endColumn }: Diagnostic): string {
  const lines = text.split('\n')
  if (line === endLine) return (lines[line - 1] ?? '').slice(column - 1, endColumn - 1)
  const middle = lines.slice(line, endLine - 1)
  return [
    (lines[line - 1] ?? '').slice(column - 1),
    ...middle,
    (lines[endLine - 1] ?? '').slice(0, endColumn - 1),
  ].join('\n')
}

/** The text after a finding's fix. */
export function fixed(text: string, finding: Diagnostic | undefined): string | undefined {
  if (finding?.fix === undefined) return undefined
  const starts = [0]
  for (const match of text.matchAll(/\n/g)) starts.push(match.index + 1)
  const offset = (line: number, column: number): number => (starts[line - 1] ?? 0) + column - 1
  const { range, text: replacement } = finding.fix
  return (
    text.slice(0, offset(range.line, range.column)) + replacement + text.slice(offset(range.endLine, range.endColumn))
  )
}
