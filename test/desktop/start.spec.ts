import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from '../support/app/fixtures.ts'

const script = resolve(import.meta.dirname, '../../scripts/start.mjs')

test('npm start opens the window, and a signal to it ends the app with exit code 0', async ({ home }) => {
  // What only the user may decide: root has no sandbox to run Chromium in.
  const sandbox = process.getuid?.() === 0 ? { ELECTRON_DISABLE_SANDBOX: '1' } : {}
  const child = spawn(process.execPath, [script, '--workspace', home.workspace], {
    env: { ...home.env, ...sandbox },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = new Promise((done) => child.once('exit', (code, signal) => done({ code, signal })))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await expect.poll(() => existsSync(join(home.dataDir, 'owner.json')), { timeout: 30_000 }).toBe(true)
  expect(output).toContain('Opening the window')
  child.kill('SIGTERM')
  expect(await exited).toEqual({ code: 0, signal: null })
})
