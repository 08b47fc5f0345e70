// Starts the packaged app as an ordinary user would: with Chromium's sandbox, which root has none of.

import { execFile, spawn } from 'node:child_process'
import { chownSync, copyFileSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import type { Home } from '../app/home.ts'

const execute = promisify(execFile)
/** Debian's `nobody`. */
const NOBODY = 65534

export interface PackagedApp {
  pid: number
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Its processes that are there; their environment says nothing, since Chromium writes over it. */
  processes(): { pid: number; command: string }[]
  /** What it wrote to stderr. */
  stderr(): string
  /** Runs a program as the same user. */
  run(program: string, args: string[], env?: Record<string, string>): Promise<string>
  /** The value of an expression in the page; undefined while there is none. */
  evaluate(expression: string): Promise<unknown>
}

export function startPackaged(program: string, home: Home): PackagedApp {
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  if (isRoot) giveAway(home)
  const child = spawn(program, [`--workspace=${home.workspace}`, '--remote-debugging-port=0'], {
    env: home.env,
    cwd: home.workspace,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return {
    pid: child.pid ?? 0,
    exited: new Promise((done) => child.once('exit', (code, signal) => done({ code, signal }))),
    processes: () => processesOf(program),
    stderr: () => stderr,
    async run(file, args, env = {}) {
      const { stdout } = await execute(file, args, { env: { ...home.env, ...env }, cwd: home.workspace, ...user })
      return stdout
    },
    evaluate: (expression) => evaluateInPage(home.dataDir, expression).catch(() => undefined),
  }
}

function processesOf(program: string): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((entry) => {
    try {
      const command = /^\d+$/.test(entry) ? readFileSync(`/proc/${entry}/cmdline`, 'utf8') : ''
      return command.startsWith(program) ? [{ pid: Number(entry), command }] : []
    } catch {
      return [] // It ended while we looked.
    }
  })
}

/** All that is in the home so far belongs to that user from now on, the key to the display with it. */
function giveAway(home: Home): void {
  const key = home.env['XAUTHORITY']
  const root = dirname(home.dataDir)
  if (key !== undefined) {
    home.env['XAUTHORITY'] = join(root, 'xauthority')
    copyFileSync(key, home.env['XAUTHORITY'])
    chownSync(home.env['XAUTHORITY'], NOBODY, NOBODY)
  }
  for (const folder of [root, home.dataDir, home.workspace]) chownSync(folder, NOBODY, NOBODY)
  for (const [name, folder] of Object.entries(home.env)) {
    if (/^(HOME|XDG_.*)$/.test(name)) chownSync(folder, NOBODY, NOBODY)
  }
}

/** Past Playwright, which needs the inspector that the package has switched off. */
async function evaluateInPage(dataDir: string, expression: string): Promise<unknown> {
  const port = readFileSync(join(dataDir, 'electron', 'DevToolsActivePort'), 'utf8').split('\n')[0] ?? ''
  // What Chromium's debugging port answers.
  const pages = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    url: string
    webSocketDebuggerUrl: string
  }[]
  const page = pages.find(({ url }) => url.startsWith('app://weft/'))
  if (page === undefined) return undefined
  const socket = new WebSocket(page.webSocketDebuggerUrl)
  try {
    await new Promise((done, fail) => socket.once('open', done).once('error', fail))
    const params = { expression, awaitPromise: true, returnByValue: true }
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }))
    const answer = await new Promise<string>((done, fail) =>
      socket.once('message', (data) => done(Buffer.isBuffer(data) ? data.toString('utf8') : '')).once('error', fail),
    )
    // The answer to the one request that was made.
    return (JSON.parse(answer) as { result?: { result?: { value?: unknown } } }).result?.result?.value
  } finally {
    socket.terminate()
  }
}
