import { expect, onTestFinished, test } from 'vitest'
import { makeFolders, makeHost, useEchoAgent, writeFileIn } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { waitUntil } from '../../support/host/wait-until.ts'
import { weft } from '../../support/cli/in-process.ts'

test('what a harness asks leave for is shown, allowed and refused from a terminal', async () => {
  const folders = await makeFolders()
  await useEchoAgent(folders)
  await writeFileIn(folders.dataDir, 'settings.json', JSON.stringify({ approval: 'ask' }))
  await writeFileIn(folders.workspace, 'workflows/child.js', script('child', 'return 7'))
  const { host, session } = await makeHost({ folders, socket: true })
  const harness = host.openSession({ kind: 'harness', name: 'codex', workspace: folders.workspace })
  onTestFinished(() => harness.close())
  const start = (text: string) =>
    harness.call('run.start', { workspace: folders.workspace, source: { kind: 'text', text }, args: { n: 1 } })
  const asked = async (count: number): Promise<unknown> =>
    waitUntil('it is asked', async () => (await session.call('approvals.list', {})).approvals.length === count)

  expect((await weft(folders, 'approvals')).out).toBe('no harness waits for leave\n')
  const first = start(script('parent', `return await workflow('child')`))
  await asked(1)
  const shown = await weft(folders, 'approvals')
  expect(shown.out).toContain(`approval-1: codex wants to run "parent" in ${folders.workspace}\n`)
  expect(shown.out).toContain(`    return await workflow('child')\n`)
  expect(shown.out).toContain('  args:\n    {\n      "n": 1\n    }\n  script:\n')
  expect(shown.out).toContain('  it calls child:\n')
  expect(shown.out).toContain('    return 7\n')
  expect((await weft(folders, 'approve', 'approval-1')).code).toBe(0)
  expect(await first).toMatchObject({ runId: expect.any(String) })

  const second = start(script('other'))
  second.catch(() => undefined)
  await asked(1)
  expect(await weft(folders, 'approve', 'approval-2', '--deny', 'not today')).toMatchObject({
    code: 0,
    out: 'approval-2 was refused\n',
  })
  await expect(second).rejects.toMatchObject({
    code: 'NOT_ALLOWED',
    message: 'the user refused to run the workflow "other" in Weft (not today): nothing was started',
  })
  const late = await weft(folders, 'approve', 'approval-2')
  expect(late.code).toBe(2)
  expect(late.err).toContain('Nobody asks for the approval approval-2')
})
