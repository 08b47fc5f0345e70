// What git knows of agents' branches.

import type { AgentBranch } from '../../shared/index.ts'
import { parseBranchName } from './branch-names.ts'
import type { Git } from './git.ts'
import { succeed } from './succeed.ts'

const PATTERNS = ['refs/heads/weft/', 'refs/heads/weft-*']
const FIELDS = ['refname:lstrip=2', 'objectname', 'committerdate:unix', 'worktreepath', 'contents:subject']
const FORMAT = FIELDS.map((field) => `%(${field})`).join('%00')

/** Latest first. */
export async function listBranches(git: Git, top: string): Promise<AgentBranch[]> {
  const refs = ['for-each-ref', '--sort=-committerdate', `--format=${FORMAT}`]
  const listed = succeed(top, await git(top, [...refs, ...PATTERNS]))
  const merged = succeed(top, await git(top, ['for-each-ref', '--merged=HEAD', '--format=%(refname)', ...PATTERNS]))
  const within = new Set(merged.split('\n'))
  const bases = await readBases(git, top)
  return listed.split('\n').flatMap((line) => {
    const [name = '', commit = '', seconds = '', folder = '', subject = ''] = line.split('\0')
    const made = parseBranchName(name)
    if (made === undefined) return []
    return {
      name,
      ...made,
      subject,
      commit,
      base: bases.get(name) ?? null,
      committedAt: Number(seconds) * 1000,
      merged: within.has(`refs/heads/${name}`),
      folder: folder === '' ? null : folder,
    }
  })
}

async function readBases(git: Git, top: string): Promise<Map<string, string>> {
  const answer = await git(top, ['config', '--null', '--get-regexp', '^branch\\.weft.*\\.weftbase$'])
  const entries = answer.stdout.split('\0').flatMap((entry): [string, string][] => {
    const [, name, base] = /^branch\.(.+)\.weftbase\n([0-9a-f]{40,64})$/.exec(entry) ?? []
    return name === undefined || base === undefined ? [] : [[name, base]]
  })
  return new Map(entries)
}
