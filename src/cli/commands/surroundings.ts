// `weft workflows`: what can be run here.

import { toPreview, type WorkflowEntry } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { readWorkspace } from '../options/source.ts'
import { writeJson } from '../output/json.ts'
import { renderTable } from '../render/table.ts'
import { escapeControls } from '../render/text.ts'
import { withHost } from './command.ts'

export async function listWorkflows(context: CliContext, options: { cwd?: string; json?: boolean }): Promise<ExitCode> {
  const workspace = readWorkspace(options.cwd, context.cwd)
  const { workflows } = await withHost(context, workspace, ({ client }) => client.call('workflows.list', { workspace }))
  const { out, outStyle } = context
  if (options.json) writeJson(out, workflows)
  else if (workflows.length === 0) out.line('no workflows')
  else {
    const rows = workflows.map((entry) => [
      escapeControls(entry.name),
      entry.source,
      escapeControls(entry.path),
      describeWorkflow(entry),
    ])
    const table = renderTable(['NAME', 'FROM', 'FILE', 'DESCRIPTION'], rows, {
      width: out.columns(),
      heading: outStyle.colors.bold,
    })
    for (const line of table) out.line(line)
  }
  return EXIT.completed
}

function describeWorkflow({ error, shadowedBy, description }: WorkflowEntry): string {
  if (error !== null) return `broken: ${escapeControls(toPreview(error))}`
  if (shadowedBy !== null) return `hidden by ${escapeControls(shadowedBy)}`
  return escapeControls(toPreview(description ?? ''))
}
