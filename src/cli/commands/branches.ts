// `weft branches`: what worktree agents changed, listed, shown, merged, dropped, checked out.

import {
  plural,
  toPreview,
  type AgentBranch,
  type AgentBranches,
  type BranchDiff,
  type HostClient,
} from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { readWorkspace } from '../options/source.ts'
import { writeJson } from '../output/json.ts'
import { formatTime } from '../render/format.ts'
import { renderTable } from '../render/table.ts'
import { escapeBlock, escapeControls } from '../render/text.ts'
import { findRun } from '../run/find-run.ts'
import { withHost } from './command.ts'

export interface BranchOptions {
  cwd?: string
  json?: boolean
}

export async function listBranches(context: CliContext, options: BranchOptions & { run?: string }): Promise<ExitCode> {
  const { out, outStyle } = context
  const list = await withBranches(context, options, async (client, workspace) => {
    if (options.run === undefined) return client.call('branches.list', { workspace })
    const row = await findRun(client, options.run)
    return client.call('branches.list', { workspace: options.cwd ?? row.workspace, runId: row.runId })
  })
  if (options.json) writeJson(out, list)
  else {
    const rows = list.branches.map(toCells)
    const table = renderTable(['BRANCH', 'CHANGED', 'STATE', 'COMMIT', 'WHAT'], rows, {
      width: out.columns(),
      heading: outStyle.colors.bold,
    })
    for (const line of rows.length === 0 ? ['no agent has left a branch here'] : table) out.line(line)
    for (const line of describeRest(list)) out.line(line)
  }
  return EXIT.completed
}

function toCells({ name, committedAt, merged, folder, commit, subject }: AgentBranch): string[] {
  const states = [merged ? 'merged' : 'not merged', ...(folder === null ? [] : [`open in ${escapeControls(folder)}`])]
  return [name, formatTime(committedAt), states.join(', '), commit.slice(0, 10), escapeControls(toPreview(subject))]
}

function describeRest({ branches, total, left }: AgentBranches): string[] {
  return [
    ...(total > branches.length ? [`… and ${total - branches.length} older ones`] : []),
    ...left.map(({ path, reason }) => `left over: ${escapeControls(path)}: ${escapeControls(reason)}`),
  ]
}

export async function diffBranch(context: CliContext, name: string, options: BranchOptions): Promise<ExitCode> {
  const { out } = context
  const diff = await withBranch(context, name, options, (client, params) => client.call('branches.diff', params))
  if (options.json) writeJson(out, diff)
  else {
    // For `git apply` it has to be the patch alone, byte for byte; a terminal must not be told anything by it.
    out.write(out.isTty ? escapeBlock(diff.patch) : diff.patch)
    if (diff.cut) context.err.line(describeCut(diff))
  }
  return EXIT.completed
}

const describeCut = ({ base, commit, files }: BranchDiff): string =>
  `only the beginning of ${plural(files.length, 'changed file')}: "git diff ${base} ${commit}" shows all of it`

/** Exit code 1 with conflicts: everything is as it was. */
export async function mergeBranch(context: CliContext, name: string, options: BranchOptions): Promise<ExitCode> {
  const { out, err } = context
  const merge = await withBranch(context, name, options, (client, params) => client.call('branches.merge', params))
  const { outcome, branch, into, head, conflicts } = merge
  if (options.json) writeJson(out, merge)
  else if (outcome === 'merged') out.line(`${branch} is merged into ${into}, now at ${head.slice(0, 10)}`)
  else if (outcome === 'up-to-date') out.line(`${into} holds all of ${branch} already`)
  else {
    err.line(`${branch} can't be merged into ${into}: both changed ${plural(conflicts.length, 'file')}`)
    for (const path of conflicts) err.line(`  ${escapeControls(path)}`)
    err.line(`nothing was changed; "git merge ${branch}" lets you resolve it by hand`)
  }
  return outcome === 'conflicts' ? EXIT.error : EXIT.completed
}

export async function dropBranch(
  context: CliContext,
  name: string,
  options: BranchOptions & { yes?: boolean },
): Promise<ExitCode> {
  const { out } = context
  const dropped = await withBranch(context, name, options, async (client, params, branch) => {
    const unmerged = !branch.merged && (options.yes === true || (await askToLose(context, branch)))
    return client.call('branches.drop', { ...params, unmerged })
  })
  if (options.json) writeJson(out, dropped)
  else
    out.line(
      `${dropped.branch} is dropped; "git branch ${dropped.branch} ${dropped.commit}" brings it back until git clears up`,
    )
  return EXIT.completed
}

/** Where nobody can be asked, it has to be said with the command. */
async function askToLose({ keyboard, err }: CliContext, { name, subject }: AgentBranch): Promise<boolean> {
  if (keyboard === undefined)
    throw new CliError('REFUSED', `${name} is not merged: its changes would be lost; --yes drops it all the same`)
  err.line(
    `${name} is not merged (${escapeControls(toPreview(subject))}): drop it and lose its changes?  [y] yes  [n] no`,
  )
  if ((await keyboard.read(['y', 'n'])) === 'y') return true
  throw new CliError('REFUSED', `${name} stays`)
}

export async function openBranch(context: CliContext, name: string, options: BranchOptions): Promise<ExitCode> {
  const opened = await withBranch(context, name, options, (client, params) => client.call('branches.open', params))
  // The path alone, so that a shell can go there.
  if (options.json) writeJson(context.out, opened)
  else context.out.line(opened.folder)
  return EXIT.completed
}

function withBranches<Result>(
  context: CliContext,
  { cwd }: BranchOptions,
  work: (client: HostClient, workspace: string) => Promise<Result>,
): Promise<Result> {
  const workspace = readWorkspace(cwd, context.cwd)
  return withHost(context, workspace, ({ client }) => work(client, workspace))
}

/** The one branch that is called so, or whose name ends so. */
function withBranch<Result>(
  context: CliContext,
  text: string,
  options: BranchOptions,
  work: (client: HostClient, params: { workspace: string; branch: string }, branch: AgentBranch) => Promise<Result>,
): Promise<Result> {
  return withBranches(context, options, async (client, workspace) => {
    const { branches, top } = await client.call('branches.list', { workspace })
    const exact = branches.filter(({ name }) => name === text)
    const [branch, ...others] = exact.length > 0 ? exact : branches.filter(({ name }) => name.endsWith(text))
    if (branch === undefined)
      throw new CliError('NOT_FOUND', `${top} has no branch of an agent called ${text}: see "weft branches"`)
    if (others.length > 0)
      throw new CliError('USAGE', `${text} could be any of ${others.length + 1} branches: give more of its name`)
    return work(client, { workspace, branch: branch.name }, branch)
  })
}
