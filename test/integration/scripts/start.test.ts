import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = resolve(import.meta.dirname, '../../../scripts/start.mjs')

let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'weft-start-')))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** `npm start` on a machine without a display, until it has said all it has to say. */
async function start(args: string[] = []) {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...rest } = process.env
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...rest, HOME: home, WEFT_DATA_DIR: join(home, 'data'), INIT_CWD: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  await new Promise<void>((done, fail) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Ctrl-C ends it.')) done()
    })
    void exited.then(() => fail(new Error(`it ended at once: ${output}`)))
  })
  return { child, output, exited }
}

test.runIf(process.platform === 'linux')(
  'where there is no display the window is served, with its address and the line for the terminal',
  async () => {
    const workspace = join(home, 'site')
    mkdirSync(workspace)
    const { child, output, exited } = await start(['--workspace', workspace])
    expect(output).toContain('No desktop window: there is no display here')
    expect(output).toMatch(/npx weft dry-run workflows\/[\w-]+\.js/)
    const url = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(output)?.[0]
    const answer = await fetch(url ?? '', { redirect: 'manual' })
    expect(answer.status).toBeLessThan(400)
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    expect(existsSync(join(home, 'data', 'owner.json'))).toBe(false)
  },
)

test.runIf(process.platform === 'linux')('the exit code is that of what it started', async () => {
  const { child, exited } = await start()
  const second = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
      HOME: home,
      WEFT_DATA_DIR: join(home, 'data'),
      INIT_CWD: home,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // The data folder has its host already.
  const [code] = await once(second, 'exit')
  expect(code).toBeGreaterThan(0)
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
