// One round's folders, and the product's own processes in them: everything that is started here can be told by its HOME.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesWith, type MarkedProcess } from '../test/support/app/processes.ts'
import type { MadeScripts } from './make-script.ts'

const ROOT = join(import.meta.dirname, '..')
const WEFT = join(ROOT, 'out', 'main', 'weft.cjs')
// A round's commands end by themselves long before; one that does not is a finding.
const MOST_MS = 90_000

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export class House {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-torture-')))
  readonly workspace = join(this.root, 'workspace')
  readonly dataDir = join(this.root, 'data')
  readonly temp = join(this.root, 'temp')
  readonly #home = join(this.root, 'home')
  readonly #children = new Set<ChildProcess>()

  constructor(scripts: MadeScripts, concurrency: number) {
    for (const folder of [this.workspace, join(this.workspace, 'workflows'), this.dataDir, this.temp, this.#home])
      mkdirSync(folder, { mode: 0o700 })
    writeFileSync(this.script, scripts.main)
    for (const [name, text] of Object.entries(scripts.inner))
      writeFileSync(join(this.workspace, 'workflows', `${name}.js`), text)
    this.#git('init', '-q', '-b', 'main')
    this.#git('add', '-A')
    this.#git('commit', '-q', '-m', 'all')
    const command = ['/bin/sh', join(import.meta.dirname, 'agent.sh'), this.root]
    const settings = {
      backends: { agent: { kind: 'command', protocol: 'jsonl', command } },
      defaultBackend: 'agent',
      maxConcurrentAgents: concurrency,
    }
    writeFileSync(this.settings, JSON.stringify(settings))
  }

  get script(): string {
    return join(this.workspace, 'torture.js')
  }

  get settings(): string {
    return join(this.dataDir, 'settings.json')
  }

  /** Starts `weft` with these arguments. */
  start(args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
    const node = ['--require', join(import.meta.dirname, 'clock.cjs'), WEFT, ...args]
    const child = spawn(process.execPath, node, {
      cwd: this.workspace,
      env: this.#env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.add(child)
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += String(chunk)))
    child.stderr.on('data', (chunk) => (stderr += String(chunk)))
    const ended = new Promise<Ended>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          new Error(`weft ${args.join(' ')} did not end within ${MOST_MS / 1000} s. It said: ${stderr.slice(-2000)}`),
        )
      }, MOST_MS)
      child.once('close', (code, signal) => {
        clearTimeout(timer)
        this.#children.delete(child)
        resolve({ code, signal, stdout, stderr })
      })
    })
    // Whoever started it may wait for something else first.
    ended.catch(() => undefined)
    return { child, ended }
  }

  /** Runs `weft` to its end, which must be 0. */
  async ask(args: readonly string[]): Promise<string> {
    const { code, signal, stdout, stderr } = await this.start(args).ended
    if (code !== 0)
      throw new Error(
        `weft ${args.join(' ')} ended with ${signal ?? code}: ${stdout.slice(-2000)}${stderr.slice(-2000)}`,
      )
    return stdout
  }

  /** Every process of this house, agents told by their call. */
  processes(): MarkedProcess[] {
    return processesWith(`HOME=${this.#home}\0`)
  }

  /** Agents in their first attempt: the one attempt that may be killed without the answer being lost. */
  firstAttempts(): MarkedProcess[] {
    const first = new Set(processesWith('WEFT_ATTEMPT=1\0').map(({ pid }) => pid))
    return this.processes().filter(({ pid, command }) => first.has(pid) && command.includes('agent.sh'))
  }

  /** `<run> <call path>` of each time that an agent began, in order. */
  executions(): { runId: string; path: string }[] {
    const file = join(this.root, 'executions')
    if (!existsSync(file)) return []
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [runId = '', path = ''] = line.split(' ')
        return { runId, path }
      })
  }

  /** Worktrees without a change or a commit: others are left on purpose when their host was killed, since they hold work. */
  emptyWorktrees(): string[] {
    const head = this.#git('rev-parse', 'HEAD')
    return this.#git('worktree', 'list', '--porcelain')
      .split('\n')
      .filter((line) => line.startsWith('worktree '))
      .slice(1)
      .map((line) => line.slice('worktree '.length))
      .filter((folder) => this.#git('-C', folder, 'rev-parse', 'HEAD') === head)
      .filter((folder) => this.#git('-C', folder, 'status', '--porcelain') === '')
  }

  /** The main checkout's state, which no run may touch. */
  checkout(): string {
    return [this.#git('rev-parse', 'HEAD'), this.#git('status', '--porcelain'), this.#git('symbolic-ref', 'HEAD')].join(
      '',
    )
  }

  remove(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    rmSync(this.root, { recursive: true, force: true })
  }

  #git(...args: string[]): string {
    const identity = ['-c', 'user.name=torture', '-c', 'user.email=torture@localhost']
    return execFileSync('git', [...identity, ...args], { cwd: this.workspace, env: this.#env(), encoding: 'utf8' })
  }

  #env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#home,
      TMPDIR: this.temp,
      WEFT_DATA_DIR: this.dataDir,
      XDG_CONFIG_HOME: join(this.#home, '.config'),
      // All rounds load the same program.
      NODE_COMPILE_CACHE: join(ROOT, '.cache', 'torture'),
    }
  }
}
