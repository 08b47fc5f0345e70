// `weft validate`: every finding about every file, for people or as one JSON array.

import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { plural, type Diagnostic, type HostClient } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { renderDiagnostics } from '../render/diagnostics.ts'
import { escapeControls } from '../render/text.ts'
import { withHost } from './command.ts'

interface Checked {
  /** As it was given. */
  file: string
  text: string | undefined
  diagnostics: Diagnostic[]
}

export async function validateFiles(
  context: CliContext,
  files: readonly string[],
  options: { json?: boolean },
): Promise<ExitCode> {
  const checked = await withHost(context, context.cwd, ({ client }) =>
    Promise.all(files.map((file) => checkFile(client, file, context.cwd))),
  )
  if (options.json) {
    writeJson(
      context.out,
      checked.flatMap(({ file, diagnostics }) => diagnostics.map((diagnostic) => ({ file, ...diagnostic }))),
    )
  } else showFindings(context, checked)
  const refused = checked.some(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'))
  return refused ? EXIT.refused : EXIT.completed
}

async function checkFile(client: HostClient, file: string, cwd: string): Promise<Checked> {
  let text: string
  try {
    text = readFileSync(resolve(cwd, file), 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const place = { line: 1, column: 1, endLine: 1, endColumn: 1 }
    const unreadable: Diagnostic = {
      ...place,
      severity: 'error',
      code: 'file/unreadable',
      message: `the file can't be read: ${reason}`,
    }
    return { file, text: undefined, diagnostics: [unreadable] }
  }
  const { diagnostics } = await client.call('script.diagnose', { text, fileName: basename(file), workspace: cwd })
  return { file, text, diagnostics }
}

function showFindings({ out, outStyle: style }: CliContext, checked: readonly Checked[]): void {
  for (const { file, text, diagnostics } of checked) {
    if (diagnostics.length === 0) out.line(`${style.colors.green(style.symbol.completed)} ${escapeControls(file)}`)
    for (const line of renderDiagnostics(file, text, diagnostics, style)) out.line(line)
  }
  const all = checked.flatMap(({ diagnostics }) => diagnostics)
  if (all.length === 0) return
  const errors = all.filter(({ severity }) => severity === 'error').length
  const warnings = all.filter(({ severity }) => severity === 'warning').length
  out.line(`${plural(errors, 'error')}, ${plural(warnings, 'warning')} in ${plural(checked.length, 'file')}`)
}
