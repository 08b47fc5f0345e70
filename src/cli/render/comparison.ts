// Two runs side by side, for people: what was given, what each call became, what was returned, what it took.

import {
  describeCost,
  plural,
  toPreview,
  type CallFate,
  type ComparedCall,
  type ComparedTotals,
  type FieldChange,
  type RunComparison,
  type RunRow,
} from '../../shared/index.ts'
import { formatCost, formatCount, formatDuration, formatTime } from './format.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'
import { escapeControls } from './text.ts'

const LABEL_UNITS = 60
const SIGN: Record<CallFate, string> = { same: '=', changed: '~', added: '+', removed: '-', moved: '>' }

/** Calls that are the same are only counted unless `all` is asked for. */
export function renderComparison(comparison: RunComparison, { colors }: Style, all: boolean): string[] {
  const { a, b, script, inputs, result, totals, calls, fates } = comparison
  const shown = all ? calls : calls.filter(({ fate }) => fate !== 'same')
  const counts = Object.entries(fates).flatMap(([fate, count]) => (count > 0 ? `${count} ${fate}` : []))
  return [
    `${colors.bold('a')} ${describeRun(a)}`,
    `${colors.bold('b')} ${describeRun(b)}`,
    `${colors.bold('Script')} ${script.same ? 'the same' : `another one: ${script.a.slice(0, 12)} → ${script.b.slice(0, 12)}`}`,
    ...(inputs.length > 0 ? [colors.bold('Given')] : []),
    ...inputs.flatMap((change) => renderChange(change, '  ')),
    `${colors.bold('Calls')} ${counts.join(', ') || 'none'}`,
    ...shown.flatMap(renderCall),
    `${colors.bold('Result')} ${result.same ? 'the same' : plural(result.changes.length + result.more, 'difference')}`,
    ...result.changes.flatMap(({ pointer, before, after }) =>
      renderChange({ field: pointer === '' ? '(the whole)' : pointer, before, after }, '  '),
    ),
    ...(result.more > 0 ? [`  … ${result.more} more`] : []),
    ...renderTotals(totals),
  ]
}

function describeRun({ runId, workflow, title, status, degraded, startedAt }: RunRow): string {
  const name = title === null ? workflow : `${workflow} (${title})`
  const verdict = status === 'completed' && degraded ? 'completed with failures' : status
  return `${runId}  ${escapeControls(name)}, ${formatTime(startedAt)}, ${verdict}`
}

function renderCall({ fate, label, path, movedFrom, changes, a, b, durationMs, outputTokens }: ComparedCall): string[] {
  const place = movedFrom === undefined ? path : `${movedFrom} → ${path}`
  const numbers = a !== null && b !== null && a !== b ? `${a} → ${b}` : String(b ?? a)
  const took = [
    pair(durationMs.a, durationMs.b, formatDuration),
    pair(outputTokens.a, outputTokens.b, (tokens) => `${formatCount(tokens)} tokens`),
  ].filter((text) => text !== '')
  const head = `  ${SIGN[fate]} ${numbers} ${escapeControls(toPreview(label, LABEL_UNITS))} (${escapeControls(place)})`
  return [
    `${head}${took.length > 0 ? `  ${took.join(', ')}` : ''}`,
    ...changes.flatMap((c) => renderChange(c, '      ')),
  ]
}

function pair(a: number | null, b: number | null, format: (value: number) => string): string {
  if (a !== null && b !== null) return format(a) === format(b) ? format(a) : `${format(a)} → ${format(b)}`
  const one = a ?? b
  return one === null ? '' : format(one)
}

function renderChange({ field, before, after }: FieldChange, indent: string): string[] {
  return [
    `${indent}${escapeControls(field)}`,
    `${indent}  - ${escapeControls(before ?? '(none)')}`,
    `${indent}  + ${escapeControls(after ?? '(none)')}`,
  ]
}

function renderTotals({ a, b }: RunComparison['totals']): string[] {
  const row = (name: string, read: (totals: ComparedTotals) => string): string[] => [name, read(a), read(b)]
  const rows = [
    row('took', ({ durationMs }) => (durationMs === null ? 'still going' : formatDuration(durationMs))),
    row('output tokens', ({ outputTokens }) => outputTokens.toLocaleString('en-US')),
    row('cost', (totals) => describeCost(totals, formatCost) ?? 'not known'),
    row('agents', ({ agents }) => String(agents)),
    ...(['completed', 'failed', 'skipped', 'cancelled', 'replayed'] as const)
      .filter((outcome) => a.calls[outcome] + b.calls[outcome] > 0)
      .map((outcome) => row(`  ${outcome}`, ({ calls }) => String(calls[outcome]))),
  ]
  return renderTable(['', 'a', 'b'], rows, { width: Infinity })
}
