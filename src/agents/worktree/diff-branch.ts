// What an agent changed: its branch against the commit that it began with.

import type { AgentBranch, BranchDiff, ChangedFile } from '../../shared/index.ts'
import { AgentsError } from '../errors.ts'
import type { Git } from './git.ts'
import { succeed } from './succeed.ts'

/** UTF-16 units: what a view and a terminal can take. */
const MAX_PATCH = 2_000_000
/** The user's own settings must not turn a patch into something else. */
const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=none']

const STATUS: Record<string, ChangedFile['status']> = { A: 'added', D: 'deleted', M: 'modified', T: 'type-changed' }

export async function diffBranch(git: Git, top: string, branch: AgentBranch): Promise<BranchDiff> {
  const { commit, name } = branch
  const base = branch.base ?? (await guessBase(git, top, branch))
  const diff = async (...args: string[]): Promise<string> =>
    succeed(top, await git(top, ['-c', 'core.quotePath=false', 'diff', ...PLAIN, ...args, base, commit, '--']))
  const statuses = (await diff('--name-status', '-z')).split('\0')
  const counts = (await diff('--numstat', '-z')).split('\0')
  const patch = await diff('--patch')
  const lines = new Map(
    counts.map((entry) => {
      const [added, removed, ...path] = entry.split('\t')
      return [path.join('\t'), [toLines(added), toLines(removed)]] as const
    }),
  )
  const files: ChangedFile[] = []
  for (let index = 0; index + 1 < statuses.length; index += 2) {
    const path = statuses[index + 1] ?? ''
    const [added = null, removed = null] = lines.get(path) ?? []
    files.push({ path, status: STATUS[statuses[index] ?? ''] ?? 'modified', added, removed })
  }
  const cut = patch.length > MAX_PATCH
  // At a line's end, so that no character is cut in two.
  const shown = cut ? patch.slice(0, patch.lastIndexOf('\n', MAX_PATCH) + 1) : patch
  return { branch: name, base, commit, files, patch: shown, cut }
}

const toLines = (text: string | undefined): number | null => (text === undefined || text === '-' ? null : Number(text))

/** Of branches that an earlier version made: where they left what is checked out. */
async function guessBase(git: Git, top: string, { name, commit }: AgentBranch): Promise<string> {
  const found = await git(top, ['merge-base', 'HEAD', commit])
  const base = found.stdout.trim()
  if (found.code === 0 && base !== commit) return base
  const message = `nothing tells which commit the agent of ${name} began with: see "git log ${name}"`
  throw new AgentsError('WORKTREE_REFUSED', message)
}
