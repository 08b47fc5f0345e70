import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { weft, writeScript } from '../../support/cli/in-process.ts'
import { commitAll, git } from '../../support/agents/git.ts'
import { makeCountingFolders } from '../../support/host/counting.ts'
import { makeHost, writeFileIn } from '../../support/host/make-host.ts'

vi.setConfig({ testTimeout: 60_000 })

test('what worktree agents changed is listed, shown, opened, merged and dropped from a terminal', async () => {
  const folders = await makeCountingFolders()
  const { workspace } = folders
  git(workspace, 'init', '--quiet', '-b', 'main')
  for (const [key, value] of Object.entries({ 'user.name': 'Me', 'user.email': 'me@localhost' }))
    git(workspace, 'config', key, value)
  await writeFileIn(workspace, 'a.txt', 'a')
  writeScript(
    folders,
    'fan',
    `return parallel([1, 2].map((n) => () => agent('WRITE ' + n, { isolation: 'worktree' })))`,
  )
  commitAll(workspace, 'first')
  const { host } = await makeHost({ folders, socket: true })
  expect((await weft(folders, 'branches')).out).toBe('no agent has left a branch here\n')
  const { runId } = JSON.parse((await weft(folders, 'run', 'fan.js', '--json')).out) as { runId: string }
  const [one, two] = [`weft/${runId}/1`, `weft/${runId}/2`]

  const listed = await weft(folders, 'branches', 'list', '--run', runId, '--json')
  expect(JSON.parse(listed.out)).toMatchObject({ top: workspace, current: 'main', total: 2, left: [] })
  expect((await weft(folders, 'branches')).out).toMatch(
    new RegExp(`^BRANCH .*\n(?:weft/${runId}/[12] .* not merged .*\n){2}$`),
  )

  const diff = await weft(folders, 'branches', 'diff', '/2')
  expect(diff).toMatchObject({ code: 0, err: '' })
  expect(diff.out).toContain('+++ b/wrote.txt\n@@ -0,0 +1 @@\n+WRITE 2')
  expect(await weft(folders, 'branches', 'diff', 'nothing')).toMatchObject({ code: 2, out: '' })
  expect((await weft(folders, 'branches', 'diff', runId.slice(-3))).code).toBe(2)

  const opened = await weft(folders, 'branches', 'open', one)
  expect(readFileSync(join(opened.out.trimEnd(), 'wrote.txt'), 'utf8')).toBe('WRITE 1')

  expect((await weft(folders, 'branches', 'merge', one)).out).toContain(`${one} is merged into main, now at `)
  const conflict = await weft(folders, 'branches', 'merge', two)
  expect(conflict).toMatchObject({ code: 1, out: '' })
  expect(conflict.err).toContain(
    `${two} can't be merged into main: both changed 1 file\n  wrote.txt\nnothing was changed`,
  )
  expect(git(workspace, 'status', '--porcelain')).toBe('')

  expect((await weft(folders, 'branches', 'drop', one)).code).toBe(0)
  const kept = await weft(folders, 'branches', 'drop', two)
  expect(kept).toMatchObject({ code: 2, out: '' })
  expect(kept.err).toContain(`${two} is not merged: its changes would be lost; --yes drops it all the same`)
  const dropped = await weft(folders, 'branches', 'drop', two, '--yes', '--json')
  expect(JSON.parse(dropped.out)).toMatchObject({ branch: two, merged: false })
  expect(git(workspace, 'branch', '--list', 'weft/*')).toBe('')
  const harness = host.openSession({ kind: 'harness', name: 'codex', workspace })
  await expect(harness.call('branches.drop', { workspace, branch: one })).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
  harness.close()
})
