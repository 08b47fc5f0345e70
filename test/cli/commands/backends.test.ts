import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { offerBackend } from '../../../src/cli/run/offer-backend.ts'
import type { Keyboard } from '../../../src/cli/keyboard.ts'
import { captureOutput } from '../../support/cli/captured-output.ts'
import { weft } from '../../support/cli/in-process.ts'
import { makeFolders, makeHost } from '../../support/host/make-host.ts'

vi.setConfig({ testTimeout: 60_000 })

/** A host on a machine where a codex is signed in and a qwen is not. */
async function makeMachine() {
  const folders = await makeFolders()
  const bin = join(folders.root, 'bin')
  mkdirSync(bin)
  for (const [name, body] of [
    ['codex', 'echo codex-cli 0.171.0'],
    ['qwen', 'echo 0.2.0'],
  ] as const) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  vi.stubEnv('PATH', `${bin}:/usr/bin:/bin`)
  for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'CODEX_HOME']) vi.stubEnv(name, undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  return makeHost({ folders, socket: true })
}

function terminal(key: string) {
  const err = Object.defineProperty(captureOutput(), 'isTty', { value: true })
  const asked: string[][] = []
  const keyboard: Keyboard = {
    read: async (keys) => {
      asked.push([...keys])
      return keys.find((known) => known === key)
    },
  }
  return { err, asked, keyboard }
}

test('agents of this machine are found, and one is made the default from a terminal', async () => {
  const { folders, session } = await makeMachine()
  expect((await weft(folders, 'backends')).out).toContain('"weft backends find" looks for agents on this machine\n')
  const found = await weft(folders, 'backends', 'find', '--json')
  const agents = JSON.parse(found.out) as { id: string; capabilities: object }[]
  expect(agents.find(({ id }) => id === 'codex')).toMatchObject({
    settings: { kind: 'command', preset: 'codex' },
    installed: true,
    version: '0.171.0',
    signedIn: true,
    configured: [],
    capabilities: { schema: 'native', worktree: true, allowedTools: false },
  })
  expect(agents.find(({ id }) => id === 'qwen')).toMatchObject({ version: '0.2.0', signedIn: null })
  expect((await weft(folders, 'backends', 'find')).out).toMatch(
    /^codex +command +0\.171\.0 +yes +as "login status" says/m,
  )

  expect((await weft(folders, 'backends', 'use', 'codex')).out).toContain('codex runs agents from now on')
  expect(await session.call('settings.get', {})).toMatchObject({
    settings: { backends: { codex: { kind: 'command', preset: 'codex' } }, defaultBackend: 'codex' },
  })
  expect(await weft(folders, 'backends', 'use', 'goose-acp')).toMatchObject({ code: 2, out: '' })
  expect((await weft(folders, 'backends', 'use', 'nobody')).err).toContain('known are codex, simulated')
  expect((await weft(folders, 'backends', 'use', 'simulated', '--json')).out).toBe('{"defaultBackend":"simulated"}\n')
})

test('who is signed in is offered at a terminal while nothing is configured, and the answer is remembered', async () => {
  const { session } = await makeMachine()
  const refused = terminal('\u0003')
  await expect(offerBackend(refused, session)).rejects.toMatchObject({ code: 'REFUSED' })
  const first = terminal('1')
  await offerBackend(first, session)
  expect(first.err.text).toContain('  [1] codex 0.171.0, signed in as "login status" says\n  [s] simulated')
  expect(first.asked).toEqual([['1', 's', '\u0003']])
  expect(await session.call('settings.get', {})).toMatchObject({ settings: { defaultBackend: 'codex' } })
  const second = terminal('1')
  await offerBackend(second, session)
  expect(second.asked).toEqual([])
})

test('"simulated" is an answer that is remembered, too; where nobody types nothing is asked', async () => {
  const { session } = await makeMachine()
  await offerBackend({ err: captureOutput(), keyboard: undefined }, session)
  expect(await session.call('settings.get', {})).toMatchObject({ settings: {} })
  await offerBackend(terminal('s'), session)
  expect(await session.call('settings.get', {})).toMatchObject({ settings: { defaultBackend: 'simulated' } })
  const second = terminal('1')
  await offerBackend(second, session)
  expect(second.asked).toEqual([])
})
