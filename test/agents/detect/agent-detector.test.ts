import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AgentDetector } from '../../../src/agents/index.ts'
import { hasProcessTable, readProcess } from '../../../src/agents/process/process-table.ts'

function makeMachine(programs: Record<string, string>, env: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'weft-detect-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  // The system's own programs come last and hold none of these.
  const around = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, MACHINE: home, ...env }
  const make = (limitMs?: number) => new AgentDetector({ env: around, home, ...(limitMs !== undefined && { limitMs }) })
  return { home, bin, make }
}

async function look(detector: AgentDetector, id: string) {
  return (await detector.detect()).find((found) => found.id === id)
}

test('what is installed tells its version once, and what is not is said to be in no folder', async () => {
  const counting = 'echo asked >> "$MACHINE/asked"; echo "codex-cli 1.2.3-rc.4"; [ "$1" = --version ]'
  const { home, bin, make } = makeMachine({ codex: counting })
  const detector = make()
  expect(await look(detector, 'codex')).toEqual({
    id: 'codex',
    settings: { kind: 'command', preset: 'codex' },
    program: join(bin, 'codex'),
    installed: true,
    version: '1.2.3-rc.4',
    signedIn: null,
    detail: 'no sign-in was found, but it may have one elsewhere',
  })
  await detector.detect()
  // Once for its version, once for its status.
  expect(readFileSync(join(home, 'asked'), 'utf8')).toBe('asked\nasked\n')
  expect(await look(detector, 'claude')).toMatchObject({
    installed: false,
    signedIn: null,
    detail: 'claude is in no folder of PATH',
  })
})

test('a sign-in is known by a command, a file or a variable', async () => {
  const version = 'echo 1.0.0'
  const programs = { codex: version, qwen: version, gemini: version, claude: version }
  const { home, make } = makeMachine(programs, { GEMINI_API_KEY: 'k', ANTHROPIC_API_KEY: ' ', DEEPSEEK_API_KEY: 'k' })
  mkdirSync(join(home, '.qwen'))
  writeFileSync(join(home, '.qwen', 'oauth_creds.json'), '{"token":"t"}')
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude', '.credentials.json'), '{}')
  const found = new Map((await make().detect()).map(({ id, signedIn, detail }) => [id, { signedIn, detail }]))
  expect(found.get('codex')).toEqual({ signedIn: true, detail: 'as "login status" says' })
  expect(found.get('qwen')).toEqual({ signedIn: true, detail: `by ${join(home, '.qwen', 'oauth_creds.json')}` })
  expect(found.get('gemini')).toEqual({ signedIn: true, detail: 'by GEMINI_API_KEY' })
  expect(found.get('gemini-acp')).toEqual({ signedIn: true, detail: 'by GEMINI_API_KEY' })
  if (process.platform !== 'darwin')
    expect(found.get('claude')).toEqual({ signedIn: false, detail: 'nobody is signed in' })
  expect(found.get('deepseek')).toEqual({ signedIn: true, detail: 'by DEEPSEEK_API_KEY' })
  expect(found.get('anthropic')).toEqual({ signedIn: false, detail: 'ANTHROPIC_API_KEY is not set' })
})

test('a program that waits for input gets none', async () => {
  const { make } = makeMachine({ qwen: 'read answer; echo "2.0.$?"' })
  expect(await look(make(), 'qwen')).toMatchObject({ version: '2.0.1' })
})

test('a program that hangs is ended with all it started', async () => {
  const { home, make } = makeMachine({
    gemini: 'sleep 300 & echo $! > "$MACHINE/child"; echo "opening a browser"; wait',
  })
  expect(await look(make(2_000), 'gemini')).toMatchObject({ installed: true, version: null })
  expect(existsSync(join(home, 'child'))).toBe(true)
  if (hasProcessTable) expect(readProcess(Number(readFileSync(join(home, 'child'), 'utf8')))).toBeUndefined()
})
