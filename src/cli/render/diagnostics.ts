// Findings about a script for people: place, severity, message, the source line with a caret, and what to do.

import type { Diagnostic } from '../../shared/index.ts'
import { renderExcerpt } from './excerpt.ts'
import type { Style } from './style.ts'
import { escapeControls } from './text.ts'

/** `file` as the user named it; `text` is the script, or undefined when it is not at hand. */
export function renderDiagnostics(
  file: string,
  text: string | undefined,
  diagnostics: readonly Diagnostic[],
  { colors }: Style,
): string[] {
  const paint = { error: colors.red, warning: colors.yellow, info: colors.cyan }
  return diagnostics.flatMap((diagnostic) => {
    const { line, column, severity, code, message, hint } = diagnostic
    const place = colors.bold(`${escapeControls(file)}:${line}:${column}`)
    const excerpt = text === undefined ? [] : renderExcerpt(text, diagnostic)
    return [
      `${place}: ${paint[severity](severity)}: ${escapeControls(message)} ${colors.dim(`[${code}]`)}`,
      ...excerpt.map((row) => `  ${row}`),
      ...(hint === undefined ? [] : [`  ${colors.dim('hint:')} ${escapeControls(hint)}`]),
    ]
  })
}
