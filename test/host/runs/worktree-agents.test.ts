import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { git, commitAll } from '../../support/agents/git.ts'
import { makeCountingFolders, makeCountingHost, takeExecutions } from '../../support/host/counting.ts'
import { writeFileIn } from '../../support/host/make-host.ts'

vi.setConfig({ testTimeout: 60_000 })

test('agents in worktrees keep their changes on branches; a resume says when one of those is gone', async () => {
  const folders = await makeCountingFolders()
  const { workspace, dataDir } = folders
  git(workspace, 'init', '--quiet', '-b', 'main')
  await writeFileIn(workspace, 'a.txt', 'a')
  commitAll(workspace, 'first')
  const { run, resume } = await makeCountingHost(folders)
  const body = `return parallel([1, 2].map((n) => () => agent('WRITE ' + n, { isolation: 'worktree' })))`
  const first = await run(body)
  expect(first.result).toEqual(['WRITE 1!', 'WRITE 2!'])
  const branches = first.state.agents.map(({ branch }) => branch)
  expect(branches).toEqual([`weft/${first.runId}/1`, `weft/${first.runId}/2`])
  expect(git(workspace, 'show', `${branches[1]}:wrote.txt`)).toBe('WRITE 2')
  expect(existsSync(join(workspace, 'wrote.txt'))).toBe(false)
  expect(git(workspace, 'status', '--porcelain')).toBe('')
  expect(readdirSync(join(dataDir, 'worktrees'))).toEqual([])
  takeExecutions(folders)
  const again = await resume(first.runId)
  expect(again.result).toEqual(first.result)
  expect(again.state.agents.map(({ branch }) => branch)).toEqual(branches)
  expect(again.state.warnings).toEqual([])
  git(workspace, 'branch', '-D', branches[1]!)
  const last = await resume(again.runId)
  expect(last.result).toEqual(first.result)
  const gone = `what agent 2 changed was on the branch ${branches[1]}, which is gone: its answer is replayed without its files`
  expect(last.state.warnings).toMatchObject([{ code: 'resume/branch-gone', message: gone }])
  expect(takeExecutions(folders)).toEqual([])
})

test('a workspace in no repository ends the run in words, with no agent started', async () => {
  const { run, folders } = await makeCountingHost()
  const { state } = await run(`return agent('WRITE', { isolation: 'worktree' })`)
  expect(state).toMatchObject({ status: 'error', error: { code: 'AGENT_START' } })
  expect(state.error?.message).toContain('it is in no git repository')
  expect(takeExecutions(folders)).toEqual([])
})
