// A run as one HTML file that needs nothing else: no script, no picture, nothing fetched, so that it can be mailed and kept.

import { createHash } from 'node:crypto'
import {
  describeCost,
  describeOutcome,
  EMPTY_RUN,
  foldRunAll,
  SIMULATED_WARNING,
  toRunEnvelope,
  type CallCensus,
  type RunRow,
  type RunState,
} from '../../../shared/index.ts'
import type { Store } from '../../../store/index.ts'
import { renderAgents } from './agents.ts'
import { escapeHtml, preformatted, valueText } from './escape.ts'
import { formatCost, formatDuration, formatInstant, formatTokens } from './figures.ts'
import { STYLE } from './style.ts'

type HtmlReads = Pick<Store, 'readEvents' | 'lastSeq' | 'readCall' | 'readScript' | 'readResultJson'>

/** The one sheet is named by its hash: no other style, script, picture or address works in the page. */
const CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** The page part by part; the run has ended and is there. */
export function* renderHtml(row: RunRow, store: HtmlReads): Generator<string> {
  const { runId } = row
  const state = foldRunAll(EMPTY_RUN, store.readEvents(runId, 1, store.lastSeq(runId)))
  const name = row.title === null ? row.workflow : `${row.workflow}: ${row.title}`
  yield head(name)
  yield heading(name, row, state)
  const error = state.error
  if (error !== undefined) yield section('Error', preformatted(error.stack ?? error.message))
  const { warnings } = toRunEnvelope(state)
  const said = warnings.filter((warning) => warning !== SIMULATED_WARNING)
  if (said.length > 0) yield section('Warnings', lines(said.map((text) => ({ text, tone: 'warn' }))))
  const json = store.readResultJson(runId)
  // What is stored as a result had been checked to be JSON.
  if (json !== null) yield folded('Result', valueText(JSON.parse(json)), true)
  if (state.agents.length > 0) {
    yield '<h2>Agents</h2>\n'
    yield* renderAgents(state, ({ agent }) => store.readCall(runId, agent))
  }
  if (state.log.length > 0)
    yield section('Log', lines(state.log.map(({ message, level }) => ({ text: message, tone: toneOf(level) }))))
  const script = store.readScript(runId)
  yield '<h2>What it ran</h2>\n'
  if (state.info?.args !== undefined) yield folded('Args', valueText(state.info.args), false)
  if (script !== undefined) yield folded(`Script ${script.fileName}`, script.text, false)
  yield `<footer>Run ${escapeHtml(runId)}, exported from Weft.</footer>\n</main>\n</body>\n</html>\n`
}

function head(name: string): string {
  return (
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n' +
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(CSP)}">\n` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
    '<meta name="referrer" content="no-referrer">\n<meta name="robots" content="noindex">\n' +
    `<title>${escapeHtml(name)}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<main>\n`
  )
}

function heading(name: string, row: RunRow, state: RunState): string {
  const { info, usage } = state
  const ended = row.endedAt ?? state.endedAt
  const facts: [string, string | null | undefined][] = [
    ['Started', formatInstant(row.startedAt)],
    ['Took', ended === undefined ? null : formatDuration(ended - row.startedAt)],
    ['Agents', describeCensus(state.agents.length, state.calls)],
    ['Output tokens', formatTokens(usage.outputTokens)],
    ['Input tokens', usage.inputTokens > 0 ? formatTokens(usage.inputTokens) : null],
    ['Not paid again', usage.replayedOutputTokens > 0 ? `${formatTokens(usage.replayedOutputTokens)} tokens` : null],
    ['Cost', describeCost(usage, formatCost)],
    ['Back end', row.backend],
    ['Model', info?.model],
    ['Budget', info?.budgetTokens == null ? null : `${formatTokens(info.budgetTokens)} tokens`],
    ['Workspace', row.workspace],
    ['Script', row.scriptPath ?? info?.fileName],
    ['Resumed from', row.resumedFrom],
  ]
  const shown = facts.map(([term, fact]) =>
    fact == null ? '' : `<div><dt>${term}</dt><dd dir="auto">${escapeHtml(fact)}</dd></div>`,
  )
  const description = info?.meta.description ?? ''
  return (
    `<header><h1 dir="auto">${escapeHtml(name)}</h1>\n<p class="soft" dir="auto">${escapeHtml(description)}</p>\n` +
    `<p class="verdict ${verdictTone(state)}" dir="auto">${escapeHtml(describeOutcome(state))}</p>\n` +
    (row.simulated ? `<p class="warn">${escapeHtml(`Warning: ${SIMULATED_WARNING}.`)}</p>\n` : '') +
    `<dl>${shown.join('')}</dl></header>\n`
  )
}

function describeCensus(agents: number, { refused, failed, ...calls }: CallCensus): string {
  const counts = { ...calls, failed: failed - refused, 'refused by the budget': refused }
  const parts = Object.entries(counts).flatMap(([word, count]) => (count > 0 ? `${count} ${word}` : []))
  // One kind that all are of says their number itself.
  return parts.length > 1 ? `${agents}: ${parts.join(', ')}` : (parts[0] ?? String(agents))
}

function verdictTone({ status, degraded }: RunState): string {
  if (status === 'completed') return degraded ? 'warn' : 'ok'
  return status === 'error' ? 'bad' : 'warn'
}

const toneOf = (level: string): string => (level === 'error' ? 'bad' : level === 'warn' ? 'warn' : 'plain')

function section(title: string, html: string): string {
  return `<h2>${title}</h2>\n${html}\n`
}

function lines(items: readonly { text: string; tone: string }[]): string {
  const shown = items.map(({ text, tone }) => `<li class="${tone}" dir="auto">${escapeHtml(text)}</li>`)
  return `<ol class="log">${shown.join('\n')}</ol>`
}

function folded(title: string, text: string, open: boolean): string {
  const summary = `<summary><span class="name" dir="auto">${escapeHtml(title)}</span></summary>`
  return `<details${open ? ' open' : ''}>${summary}<div class="body">${preformatted(text)}</div></details>\n`
}
