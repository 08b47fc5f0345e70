// The last words about a run: its result, what went wrong and where, and the verdict.

import { SIMULATED_WARNING, type HostClient, type JsonValue, type RunState } from '../../shared/index.ts'
import type { Output } from '../output/output.ts'
import { renderExcerpt } from '../render/excerpt.ts'
import { renderResult } from '../render/result.ts'
import { footerRow } from '../render/run-rows.ts'
import type { Style } from '../render/style.ts'
import { escapeControls } from '../render/text.ts'

/** What is said of a run that ended; `result` is undefined where it is shown by other means or not at all. */
export async function reportRun(
  { output, style, now }: { output: Output; style: Style; now: number },
  client: HostClient,
  state: RunState,
  result?: JsonValue,
): Promise<void> {
  if (state.status === 'completed' && result !== undefined) output.write(renderResult(result, output.isTty))
  for (const line of await describeError(client, state, style)) output.line(line)
  if (state.info?.simulated && !state.info.dry) output.line(style.colors.yellow(`warning: ${SIMULATED_WARNING}`))
  output.line(footerRow(state, { style, now, frame: 0 }))
  if (needsMore(state) && state.info && !state.info.dry) {
    output.line(style.colors.dim(`weft show ${state.info.runId}`))
  }
}

const needsMore = (state: RunState): boolean => state.degraded || state.status !== 'completed'

async function describeError(client: HostClient, state: RunState, { colors }: Style): Promise<string[]> {
  const { error, info } = state
  if (!error || !info) return []
  const file = error.file ?? info.fileName
  const lines: string[] = []
  if (error.line !== undefined) {
    const { line, column = 1 } = error
    lines.push(colors.bold(escapeControls(`${file}:${line}:${column}`)))
    if (file === info.fileName && !info.dry) {
      const { text } = await client.call('run.script', { runId: info.runId })
      lines.push(
        ...renderExcerpt(text, { line, column, endLine: line, endColumn: column + 1 }).map((row) => `  ${row}`),
      )
    }
  }
  // With one frame, the stack only repeats the place.
  const frames = error.stack?.split('\n').filter((row) => /^\s+at /.test(row)) ?? []
  if (frames.length > 1) lines.push(...frames.map((row) => colors.dim(escapeControls(row))))
  return lines
}
