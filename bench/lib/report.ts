// Results as a table for people, in the terminal and in docs/benchmarks.md.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './build.ts'
import type { Row } from './row.ts'

export const DOCUMENT = join(ROOT, 'docs', 'benchmarks.md')

/** What stands below it in the document is written by hand and kept. */
export const NOTES = '<!-- Written by hand from here on. -->'

const HEAD = ['what', 'ours', 'reference', '', 'unit', 'ratio', 'goal', '']

function cellsOf({ name, ours, reference, referenceName, unit, ratio, goal }: Row): string[] {
  const verdict = ratio <= goal ? 'met' : 'missed'
  return [name, ...[ours, reference].map(show), referenceName, unit, show(ratio), `≤ ${goal}`, verdict]
}

function show(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(3)
}

export function toTable(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const pad = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return lines.map((cells) => `${pad(cells).trimEnd()}\n`).join('')
}

/** Puts these rows in the place of those of the same names, in the order of `names`; other rows and the notes stay. */
export function writeDocument(rows: readonly Row[], names: readonly string[]): void {
  const before = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : ''
  const at = before.indexOf(NOTES)
  const notes = at < 0 ? `${NOTES}\n` : before.slice(at)
  const lines = new Map(before.split('\n').map((line) => [/^\| (.+?) +\|/.exec(line)?.[1] ?? '', line]))
  const toLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  for (const row of rows) lines.set(row.name, toLine(cellsOf(row)))
  const table = [toLine(HEAD), toLine(HEAD.map(() => '---')), ...names.flatMap((name) => lines.get(name) ?? [])]
  writeFileSync(DOCUMENT, [...introduction(), '', ...table, '', notes].join('\n'))
  spawnSync('npx', ['oxfmt', DOCUMENT], { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' })
}

function introduction(): string[] {
  const [cpu] = cpus()
  const load = loadavg()[0]?.toFixed(1) ?? '?'
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench -- --write`. Medians of at least 7 runs; what a row is compared with ran in the same minutes, and',
    '“allowed” is a time that the contract names. A ratio is ours / reference and good when it is at most the goal.',
    '',
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${availableParallelism()} cores` +
      `${cpu === undefined || cpu.model === 'unknown' ? '' : ` (${cpu.model.trim()})`}, ${process.platform} ${process.arch}, load ${load}.`,
  ]
}
