// `weft workflows` and `weft backends`: what can be run here, and what runs it.

import { toPreview, type BackendInfo, type WorkflowEntry } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { readWorkspace } from '../options/source.ts'
import { writeJson } from '../output/json.ts'
import { renderTable } from '../render/table.ts'
import type { Style } from '../render/style.ts'
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

export async function listBackends(context: CliContext, options: { json?: boolean }): Promise<ExitCode> {
  const { backends } = await withHost(context, context.cwd, ({ client }) => client.call('backends.list', {}))
  const { out, outStyle } = context
  if (options.json) writeJson(out, backends)
  else {
    const rows = backends.map((backend) => toBackendCells(backend, outStyle))
    for (const line of renderTable(['BACK END', 'KIND', 'WORKS', 'DETAIL', 'SUPPORTS'], rows, {
      width: out.columns(),
      heading: outStyle.colors.bold,
    }))
      out.line(line)
  }
  return EXIT.completed
}

function toBackendCells({ id, kind, isDefault, available, detail, capabilities }: BackendInfo, style: Style): string[] {
  const { schema, usage, ...flags } = capabilities
  const supports = Object.entries(flags).flatMap(([name, supported]) => (supported ? [name] : []))
  return [
    `${escapeControls(id)}${isDefault ? ' (default)' : ''}`,
    kind,
    available ? style.colors.green('yes') : style.colors.red('no'),
    escapeControls(toPreview(detail ?? '')),
    [`schema by ${schema}`, `usage ${usage}`, ...supports].join(', '),
  ]
}
