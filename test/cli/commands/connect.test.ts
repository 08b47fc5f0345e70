import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { weft } from '../../support/cli/in-process.ts'
import { makeFolders, makeHost, writeFileIn } from '../../support/host/make-host.ts'

test('a harness is shown, connected and disconnected from a terminal, and no harness may do so', async () => {
  const folders = await makeFolders()
  const { host } = await makeHost({ folders, socket: true })
  const file = join(folders.workspace, '.mcp.json')
  const before = '{\n  "mcpServers": { "other": { "command": "o" } }\n}\n'
  await writeFileIn(folders.workspace, '.mcp.json', before)

  const shown = await weft(folders, 'connect', 'claude-code', '--project')
  expect(shown).toMatchObject({ code: 0, out: expect.stringMatching(/^@@ line 2 @@\n- /) })
  expect(shown.err).toContain(`nothing was written: --write puts it into ${file}\n`)
  expect(readFileSync(file, 'utf8')).toBe(before)

  const written = await weft(folders, 'connect', 'claude-code', '--project', '--write')
  expect(written.out).toContain(`${file} names Weft now\nwhat it was: ${file}.before-weft-`)
  expect((await weft(folders, 'connect', 'claude-code', '--project')).out).toBe(`${file} names Weft already\n`)
  expect((await weft(folders, 'connect')).out).toMatch(/claude-code +\S+ +not connected +connected/)
  const { out } = await weft(folders, 'connect', '--json')
  expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ id: 'goose', files: [expect.anything()] }))

  const removed = await weft(folders, 'connect', 'claude-code', '--project', '--remove', '--write', '--json')
  expect(JSON.parse(removed.out)).toMatchObject({ written: true, path: file })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(before))
  expect((await weft(folders, 'connect', 'nobody')).code).toBe(2)
  expect((await weft(folders, 'connect', 'goose', '--project', '--write')).err).toContain(
    'has no configuration of a project',
  )

  const harness = host.openSession({ kind: 'harness', name: 'codex', workspace: folders.workspace })
  onTestFinished(() => harness.close())
  const wish = { harness: 'zed', scope: 'project', workspace: folders.workspace } as const
  await expect(harness.call('connections.connect', wish)).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
  expect(existsSync(join(folders.workspace, '.zed'))).toBe(false)
})
