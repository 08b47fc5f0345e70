import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BranchKeeper, createGit } from '../../../src/agents/index.ts'
import { asAgentNumber, asRunId } from '../../../src/shared/index.ts'
import { commitAll, git } from '../../support/agents/git.ts'
import { makeFolder, makeIsolated, makeRepository, stateOf, write, type Isolated } from './repositories.ts'

interface Bench {
  root: string
  repository: string
  isolated: Isolated
  keeper: BranchKeeper
  /** Where branches are opened. */
  opened: string
  /** Runs an agent that writes these files; its branch is `weft/R/<agent>`. */
  change(agent: number, files: Record<string, string>): Promise<string>
}

function makeBench(): Bench {
  const root = makeFolder()
  const repository = makeRepository(root, 'größe – 本')
  for (const [key, value] of Object.entries({ 'user.name': 'Me', 'user.email': 'me@localhost' }))
    git(repository, 'config', key, value)
  const isolated = makeIsolated(root)
  const opened = join(root, 'data', 'branches')
  const keeper = new BranchKeeper({ folder: opened, git: createGit(process.env), worktrees: isolated.worktrees })
  const change = async (agent: number, files: Record<string, string>): Promise<string> => {
    const call = { cwd: repository, runId: asRunId('R'), agent: asAgentNumber(agent), label: `change ${agent}` }
    await isolated.run(call, ({ cwd }) => {
      for (const [name, text] of Object.entries(files)) write(cwd, name, text)
      return 'done'
    })
    return `weft/R/${agent}`
  }
  return { root, repository, isolated, keeper, opened, change }
}

describe('the branches of agents', () => {
  test('are listed with where they began, and shown against that although the checkout went on', async () => {
    const { repository, keeper, change } = makeBench()
    const base = git(repository, 'rev-parse', 'HEAD')
    await change(1, { 'a.txt': 'a\nä\n', 'neu – 本.txt': 'one\ntwo\n' })
    git(repository, 'branch', 'weft/own-branch')
    write(repository, 'sub/b.txt', 'later\n')
    commitAll(repository, 'later')
    const list = await keeper.list(join(repository, 'sub'))
    const commit = git(repository, 'rev-parse', 'weft/R/1')
    expect(list).toMatchObject({ top: repository, current: 'main', total: 1, left: [] })
    expect(list.branches).toEqual([
      {
        name: 'weft/R/1',
        runId: 'R',
        agent: 1,
        subject: 'change 1',
        commit,
        base,
        committedAt: Number(git(repository, 'log', '-1', '--format=%ct', commit)) * 1000,
        merged: false,
        folder: null,
      },
    ])
    expect((await keeper.list(repository, 'OTHER')).branches).toEqual([])
    const diff = await keeper.diff(repository, 'weft/R/1')
    expect(diff).toMatchObject({ base, commit, cut: false })
    expect(diff.files).toEqual([
      { path: 'a.txt', status: 'modified', added: 1, removed: 0 },
      { path: 'neu – 本.txt', status: 'added', added: 2, removed: 0 },
    ])
    expect(diff.patch).toContain('+++ b/neu – 本.txt')
    expect(diff.patch).toContain('\n+ä\n')
  })

  test('are merged into the branch that is checked out, whatever untracked files lie there', async () => {
    const { repository, keeper, change } = makeBench()
    const branch = await change(1, { 'a.txt': 'agent\n' })
    write(repository, 'notes.txt', 'mine\n')
    write(repository, 'sub/b.txt', 'other\n')
    git(repository, 'commit', '--quiet', '--all', '-m', 'other')
    const merge = await keeper.merge(repository, branch)
    const head = git(repository, 'rev-parse', 'HEAD')
    expect(merge).toEqual({ branch, outcome: 'merged', into: 'main', head, conflicts: [] })
    expect(readFileSync(join(repository, 'a.txt'), 'utf8')).toBe('agent\n')
    expect(git(repository, 'status', '--porcelain')).toBe('?? notes.txt')
    expect(git(repository, 'log', '-1', '--format=%an %s')).toBe(`Me Merge branch 'weft/R/1'`)
    expect(await keeper.merge(repository, branch)).toMatchObject({ outcome: 'up-to-date', head })
    expect(await keeper.drop(repository, branch, false)).toMatchObject({ merged: true })
    expect(git(repository, 'branch', '--list', 'weft/*')).toBe('')
    expect(git(repository, 'config', '--list')).not.toContain('weft')
  })

  test('that conflict leave the checkout as it was, and name the files', async () => {
    const { repository, keeper, change } = makeBench()
    const branch = await change(1, { 'a.txt': 'agent\n', 'sub/b.txt': 'agent\n', 'new.txt': 'new\n' })
    write(repository, 'stashed.txt', 'mine\n')
    git(repository, 'stash', 'push', '--include-untracked', '--quiet')
    write(repository, 'a.txt', 'me\n')
    write(repository, 'sub/b.txt', 'me\n')
    commitAll(repository, 'mine')
    const before = stateOf(repository)
    expect(await keeper.merge(repository, branch)).toMatchObject({
      outcome: 'conflicts',
      conflicts: ['a.txt', 'sub/b.txt'],
    })
    expect(stateOf(repository)).toEqual(before)
    expect(existsSync(join(repository, 'new.txt'))).toBe(false)
    expect(existsSync(join(repository, '.git', 'MERGE_HEAD'))).toBe(false)
  })

  test('are not merged into what is not committed, under way, on no branch, or in the way of a file', async () => {
    const { repository, keeper, change } = makeBench()
    const branch = await change(1, { 'a.txt': 'agent\n', 'new.txt': 'agent\n' })
    const refused = async (words: string): Promise<void> => {
      const before = stateOf(repository)
      const error: unknown = await keeper.merge(repository, branch).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'WORKTREE_REFUSED', message: expect.stringContaining(words) })
      expect(stateOf(repository)).toEqual(before)
    }
    write(repository, 'sub/b.txt', 'not committed\n')
    await refused('has changes that are not committed (sub/b.txt): commit them first')
    git(repository, 'add', '--all')
    await refused('has changes that are not committed (sub/b.txt): commit them first')
    expect(readFileSync(join(repository, 'sub', 'b.txt'), 'utf8')).toBe('not committed\n')
    git(repository, 'commit', '--quiet', '-m', 'mine')
    write(repository, 'new.txt', 'in the way\n')
    await refused('new.txt')
    expect(readFileSync(join(repository, 'new.txt'), 'utf8')).toBe('in the way\n')
    git(repository, 'clean', '--quiet', '--force')
    write(join(repository, '.git'), 'CHERRY_PICK_HEAD', `${git(repository, 'rev-parse', 'HEAD')}\n`)
    await refused('git has something under way')
    git(repository, 'cherry-pick', '--quit')
    git(repository, 'checkout', '--quiet', '--detach')
    await refused('is on no branch')
  })

  test('are dropped unmerged only when that is said, and name the commit that brings them back', async () => {
    const { root, repository, keeper, change } = makeBench()
    const branch = await change(1, { 'a.txt': 'agent\n' })
    const commit = git(repository, 'rev-parse', branch)
    await expect(keeper.drop(repository, branch, false)).rejects.toMatchObject({ code: 'BRANCH_UNMERGED' })
    expect(git(repository, 'rev-parse', branch)).toBe(commit)
    expect(await keeper.drop(repository, branch, true)).toEqual({ branch, commit, merged: false })
    git(repository, 'branch', branch, commit)
    await expect(keeper.list(root)).rejects.toThrow(`${root} has no branches of agents`)
    await expect(keeper.drop(repository, 'main', true)).rejects.toMatchObject({ code: 'BRANCH_UNKNOWN' })
  })

  test('are opened in a folder that goes with them, unless it holds what is not committed', async () => {
    const { repository, keeper, opened, change } = makeBench()
    const branch = await change(1, { 'a.txt': 'agent\n' })
    const before = stateOf(repository)
    const first = await keeper.open(repository, branch)
    expect(first).toEqual({ branch, folder: join(opened, 'weft', 'R', '1'), known: false })
    expect(readFileSync(join(first.folder, 'a.txt'), 'utf8')).toBe('agent\n')
    expect(await keeper.open(repository, branch)).toEqual({ ...first, known: true })
    expect((await keeper.list(repository)).branches).toMatchObject([{ folder: first.folder }])
    write(first.folder, 'more.txt', 'mine\n')
    const kept = 'holds changes of weft/R/1 that are not committed'
    await expect(keeper.drop(repository, branch, true)).rejects.toThrow(kept)
    expect(readFileSync(join(first.folder, 'more.txt'), 'utf8')).toBe('mine\n')
    git(first.folder, 'clean', '--quiet', '--force')
    await keeper.drop(repository, branch, true)
    expect(existsSync(first.folder)).toBe(false)
    expect(stateOf(repository)).toEqual(before)
  })

  test('that the user has checked out elsewhere are not dropped', async () => {
    const { root, repository, keeper, change } = makeBench()
    const branch = await change(1, { 'a.txt': 'agent\n' })
    git(repository, 'worktree', 'add', '--quiet', join(root, 'mine'), branch)
    await expect(keeper.drop(repository, branch, true)).rejects.toThrow(`is checked out in ${join(root, 'mine')}`)
    expect(existsSync(join(root, 'mine', 'a.txt'))).toBe(true)
  })

  test('come with the worktrees that are left over, but not with those at work', async () => {
    const { repository, keeper, isolated } = makeBench()
    await isolated.run({ cwd: repository, runId: asRunId('R') }, async ({ cwd }) => {
      expect((await keeper.list(repository)).left).toEqual([])
      makeRepository(cwd, 'inner')
      return 'done'
    })
    const path = join(isolated.folder, 'R', '1-1')
    expect((await keeper.list(repository, 'R')).left).toMatchObject([{ path, runId: 'R', agent: 1 }])
    expect(readdirSync(path)).toContain('inner')
  })
})
