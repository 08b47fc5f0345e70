// `weft approvals` and `weft approve`: the user's word on what harnesses want to run, from any terminal.

import type { PendingApproval } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { escapeBlock, escapeControls } from '../render/text.ts'
import { withHost } from './command.ts'

export async function listApprovals(context: CliContext, options: { json?: boolean }): Promise<ExitCode> {
  const { out } = context
  const { approvals } = await withHost(context, context.cwd, ({ client }) => client.call('approvals.list', {}))
  if (options.json) writeJson(out, approvals)
  else if (approvals.length === 0) out.line('no harness waits for leave')
  else for (const approval of approvals) for (const line of describe(approval)) out.line(line)
  return EXIT.completed
}

/** What is asked about, whole: the script and the workflows that it names are what would run. */
function describe({ id, workflow, clientName, workspace, meta, script, args, nested }: PendingApproval): string[] {
  const who = clientName === null ? 'a harness' : escapeControls(clientName)
  return [
    `${id}: ${who} wants to run "${escapeControls(workflow)}" in ${escapeControls(workspace)}`,
    `  ${escapeControls(meta.description)}`,
    ...(args === undefined ? [] : ['  args:', ...indent(JSON.stringify(args, null, 2)), '  script:']),
    ...indent(script.text),
    ...nested.flatMap(({ name, text }) => [`  it calls ${escapeControls(name)}:`, ...indent(text)]),
  ]
}

function indent(text: string): string[] {
  return escapeBlock(text)
    .split('\n')
    .map((line) => `    ${line}`)
}

/** `deny`: true, or the reason for it. */
export async function answerApproval(
  context: CliContext,
  id: string,
  { deny }: { deny?: string | boolean },
): Promise<ExitCode> {
  const denied = deny !== undefined && deny !== false
  const answer = denied ? 'deny' : 'allow'
  const reason = typeof deny === 'string' ? { reason: deny } : {}
  await withHost(context, context.cwd, ({ client }) => client.call('approvals.answer', { id, answer, ...reason }))
  context.out.line(denied ? `${id} was refused` : `${id} is allowed, and so is the same script from now on`)
  return EXIT.completed
}
