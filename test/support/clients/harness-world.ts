// A real harness with Weft in its configuration, as `weft connect --write` puts it there, and a host that its bridge starts.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readOwner } from '../../../src/host/index.ts'
import type { RunRow } from '../../../src/shared/index.ts'
import { processesWith } from '../app/processes.ts'
import { makeClientWorld } from './clients.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const WEFT = join(ROOT, 'bin/weft.mjs')
/** It answers with its prompt and an exclamation mark. */
const ECHO_AGENT = join(ROOT, 'test/support/host/echo-agent.mjs')
const HANG_AGENT = join(ROOT, 'test/support/agents/hang-agent.mjs')
const GONE_MS = 10_000

export interface Turn {
  code: number | null
  /** All that the harness printed. */
  out: string
}

export interface HarnessWorld {
  /** Starts the harness with a prompt, whose end of input it gets at once. */
  start(prompt: string): { pid: number; ended: Promise<Turn>; kill(): void }
  /** Calls `weft` in the harness's surroundings and answers its standard output. */
  weft(...args: string[]): string
  runs(): RunRow[]
  /** Whether the agent that never answers is at work. */
  isHanging(): boolean
  dispose(): Promise<void>
}

const COMMANDS: Record<string, (prompt: string) => { command: string; args: string[]; input: string }> = {
  opencode: (prompt) => ({ command: 'opencode', args: ['run', '--format', 'json'], input: prompt }),
  codex: (prompt) => ({ command: 'codex', args: ['exec', '--json', '--skip-git-repo-check', prompt], input: '' }),
}

export async function makeHarnessWorld(harness: string): Promise<HarnessWorld> {
  const world = await makeClientWorld()
  const dataDir = join(world.root, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  const agent = (file: string) => ({ kind: 'command', protocol: 'jsonl', command: [process.execPath, file] })
  const backends = { echo: agent(ECHO_AGENT), hang: agent(HANG_AGENT) }
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ backends, defaultBackend: 'echo' }))
  const weft = (...args: string[]): string => {
    const done = spawnSync(process.execPath, [WEFT, '--data-dir', dataDir, ...args], {
      cwd: world.cwd,
      env: world.env,
      encoding: 'utf8',
    })
    if (done.status !== 0) throw new Error(`weft ${args.join(' ')} ended with ${done.status}: ${done.stderr}`)
    return done.stdout
  }
  weft('connect', harness, '--write')
  const line = COMMANDS[harness]
  if (line === undefined) throw new Error(`there is no harness ${harness} here`)
  const turns = new Set<ChildProcess>()
  return {
    weft,
    start(prompt) {
      const { command, args, input } = line(prompt)
      const child = spawn(command, args, { cwd: world.cwd, env: world.env, stdio: ['pipe', 'pipe', 'pipe'] })
      turns.add(child)
      child.stdin.end(input)
      let out = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (out += text))
      const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out }))
      return { pid: child.pid ?? 0, ended, kill: () => void child.kill('SIGKILL') }
    },
    // What `weft runs --json` prints.
    runs: () => JSON.parse(weft('runs', '--json')) as RunRow[],
    isHanging: () => processesWith(`HOME=${world.env['HOME']}\0`).some(({ command }) => command.includes(HANG_AGENT)),
    async dispose() {
      // A test that failed may have left one, whose bridge would start the next host.
      for (const child of turns) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      const owner = readOwner(dataDir)
      if (owner !== undefined) await end(owner.pid)
      await world.dispose()
    },
  }
}

/** Ends the host that the bridge started, and waits until it has gone. */
async function end(pid: number): Promise<void> {
  const isThere = (): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  if (isThere()) process.kill(pid, 'SIGTERM')
  for (let waited = 0; isThere() && waited < GONE_MS; waited += 50) {
    // Nothing tells of the end of a process that is no child.
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((next) => setTimeout(next, 50))
  }
}
