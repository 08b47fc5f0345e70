import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Connections } from '../../../src/host/connections/connections.ts'
import { makeTempFolder } from '../../support/host/temp-folder.ts'

const bridge = { command: '/usr/bin/node', args: ['/opt/weft.mjs', 'mcp'], env: {} }

async function setUp() {
  const home = await makeTempFolder()
  const workspace = join(home, 'project')
  mkdirSync(workspace)
  const connections = new Connections({ bridge, places: { home, env: { PATH: join(home, 'bin') }, platform: 'linux' } })
  const put = (path: string, text: string): string => {
    const file = join(home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  return {
    home,
    workspace,
    connections,
    put,
    of: (harness: string) => ({ harness, scope: 'user' as const, workspace }),
  }
}

test('a file is followed through its link, keeps its mode, and what it was stays beside it', async () => {
  const { home, connections, put, of } = await setUp()
  const real = put('dotfiles/gemini.json', '{"theme":"dark"}\n')
  chmodSync(real, 0o640)
  const named = join(home, '.gemini', 'settings.json')
  mkdirSync(dirname(named))
  symlinkSync(real, named)
  const preview = await connections.preview(of('gemini-cli'))
  expect(preview).toMatchObject({ path: named, exists: true, unchanged: false, line: 1 })
  const { changed, backup } = await connections.write(of('gemini-cli'), { hash: preview.hash })
  expect(changed).toBe(true)
  expect(readFileSync(backup ?? '', 'utf8')).toBe('{"theme":"dark"}\n')
  expect(lstatSync(named).isSymbolicLink()).toBe(true)
  expect(statSync(real).mode & 0o777).toBe(0o640)
  expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({
    theme: 'dark',
    mcpServers: { weft: { command: '/usr/bin/node', args: ['/opt/weft.mjs', 'mcp'] } },
  })
  expect(await connections.write(of('gemini-cli'), {})).toMatchObject({ changed: false, backup: null })
  expect(readdirSync(dirname(real))).toHaveLength(2)
})

test('a file that can’t be parsed, is no text, or has changed since the preview is left alone', async () => {
  const { connections, put, of, home } = await setUp()
  const broken = put('.cursor/mcp.json', '{\n  "mcpServers": \n')
  await expect(connections.write(of('cursor'), {})).rejects.toThrow(
    /mcp\.json is left alone: it can't be parsed at \d+:\d+/,
  )
  expect(readFileSync(broken, 'utf8')).toBe('{\n  "mcpServers": \n')
  writeFileSync(broken, Buffer.from([0x7b, 0xff, 0x7d]))
  await expect(connections.preview(of('cursor'))).rejects.toThrow("can't be read as text")
  const { hash } = await connections.preview(of('zed'))
  put('.config/zed/settings.json', '{}')
  await expect(connections.write(of('zed'), { hash })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(readFileSync(join(home, '.config/zed/settings.json'), 'utf8')).toBe('{}')
  await expect(connections.preview(of('nobody'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('the list tells who is found and who is connected where', async () => {
  const { connections, put, of, workspace } = await setUp()
  chmodSync(put('bin/codex', '#!/bin/sh\n'), 0o755)
  put('.qwen/settings.json', 'no')
  await connections.write(of('codex'), {})
  await connections.write({ harness: 'vscode', scope: 'project', workspace }, {})
  const list = await connections.list(workspace)
  const one = (id: string) => list.find((harness) => harness.id === id)
  expect(one('codex')).toMatchObject({ found: true, files: [{ state: 'connected' }, { state: 'absent' }] })
  expect(one('codex')?.program).toContain('bin/codex')
  expect(one('vscode')).toMatchObject({ found: false, files: [{ state: 'absent' }, { state: 'connected' }] })
  expect(one('qwen-code')?.files[0]).toMatchObject({ state: 'unreadable' })
  expect(one('claude-code')).toMatchObject({ found: false, program: null })
  await connections.write(of('codex'), { remove: true })
  expect((await connections.list(workspace)).find(({ id }) => id === 'codex')?.files[0]?.state).toBe('absent')
})
