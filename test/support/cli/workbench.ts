// A place to run the built command line in: workspace, data folder, settings and home of its own, and nothing left after.

import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { processesWith, type MarkedProcess } from '../app/processes.ts'

/** The package under test: this one as it is built, or the one that WEFT_TEST_PACKAGE names. */
export const root =
  process.env['WEFT_TEST_PACKAGE'] ?? fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '')
export const bin = join(root, 'bin', 'weft.mjs')
const agents = fileURLToPath(new URL('../agents/', import.meta.url))
const PATIENCE_MS = 20_000

export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface StartOptions {
  cwd?: string
  env?: Record<string, string>
  /** The program in the place of `node bin/weft.mjs`. */
  command?: string[]
}

/** A command line that runs: what it has said so far, and its end. */
export class RunningWeft {
  readonly process: ChildProcess
  readonly finished: Promise<Finished>
  stdout = ''
  stderr = ''
  readonly #heard = new Set<() => void>()

  constructor(child: ChildProcess) {
    this.process = child
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#hear('stdout', text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#hear('stderr', text))
    this.finished = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr })
        this.#wake()
      })
    })
  }

  get pid(): number {
    if (this.process.pid === undefined) throw new Error('it was not started')
    return this.process.pid
  }

  /** Resolves when its output matches; rejects when it ends without. */
  async says(pattern: RegExp, from: 'stdout' | 'stderr' = 'stdout'): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this[from])
      if (match) return match
      if (this.process.exitCode !== null || this.process.signalCode !== null) {
        throw new Error(`it ended without saying ${String(pattern)}:\n${this.stdout}\n${this.stderr}`)
      }
      // Each turn waits for the next words or the end.
      // oxlint-disable-next-line no-await-in-loop
      await new Promise<void>((resolve) => this.#heard.add(resolve))
    }
  }

  #hear(from: 'stdout' | 'stderr', text: string): void {
    this[from] += text
    this.#wake()
  }

  #wake(): void {
    const waiting = [...this.#heard]
    this.#heard.clear()
    for (const wake of waiting) wake()
  }
}

export class Workbench {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'weft-cli-')))
  readonly workspace = join(this.folder, 'work space')
  readonly dataDir = join(this.folder, 'data')
  readonly #running = new Set<RunningWeft>()

  constructor() {
    mkdirSync(this.workspace)
    mkdirSync(this.dataDir)
  }

  get env(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: join(this.folder, 'home'),
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      WEFT_DATA_DIR: this.dataDir,
      LANG: 'C.UTF-8',
    }
  }

  /** Writes a file of the workspace and returns its path. */
  write(name: string, text: string): string {
    const path = join(this.workspace, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  /** A workflow with this body; the file is named as the workflow. */
  script(name: string, body: string): string {
    return this.write(`${name}.js`, `export const meta = { name: '${name}', description: 'A test.' }\n${body}\n`)
  }

  /** The same, whose simulated agents answer at once. */
  quickScript(name: string, body: string): string {
    this.write(`${name}.fixtures.json`, '{ "calls": [{ "delayMs": 0 }] }')
    return this.script(name, body)
  }

  settings(settings: object): void {
    writeFileSync(join(this.dataDir, 'settings.json'), JSON.stringify(settings))
  }

  /** Makes one of the agents in test/support/agents the default back end. */
  useAgent(file: string, args: readonly string[] = [], env: Record<string, string> = {}): void {
    const command = [process.execPath, join(agents, file), ...args]
    this.settings({
      backends: { agent: { kind: 'command', protocol: 'jsonl', command, env } },
      defaultBackend: 'agent',
    })
  }

  start(args: readonly string[], options: StartOptions = {}): RunningWeft {
    const [program = process.execPath, ...before] = options.command ?? [process.execPath, bin]
    const child = spawn(program, [...before, ...args], {
      cwd: options.cwd ?? this.workspace,
      env: { ...this.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const running = new RunningWeft(child)
    this.#running.add(running)
    void running.finished.finally(() => this.#running.delete(running))
    return running
  }

  weft(...args: string[]): Promise<Finished> {
    return this.start(args).finished
  }

  /** Runs with `--json` and gives the exit code with what stdout held, which has to be one document. */
  async json(...args: string[]): Promise<{ code: number | null; document: Record<string, unknown>; stderr: string }> {
    const { code, stdout, stderr } = await this.weft(...args, '--json')
    if (!stdout.endsWith('\n')) throw new Error(`no document on stdout:\n${stdout}\n${stderr}`)
    // The test compares what is in it.
    return { code, document: JSON.parse(stdout) as Record<string, unknown>, stderr }
  }

  /** Processes that were started from here, whoever started them: told by the data folder in their environment. */
  processes(): MarkedProcess[] {
    return processesWith(`WEFT_DATA_DIR=${this.dataDir}\0`)
  }

  /** Resolves once no process is left; rejects with those that stay. */
  async quiet(patienceMs = PATIENCE_MS): Promise<void> {
    const until = Date.now() + patienceMs
    while (this.processes().length > 0) {
      if (Date.now() > until)
        throw new Error(
          `processes stay: ${this.processes()
            .map(({ pid, command }) => `${pid} ${command}`)
            .join('; ')}`,
        )
      // /proc tells nobody of changes.
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async dispose(): Promise<void> {
    for (const { process: child } of this.#running) child.kill('SIGKILL')
    for (const { pid } of this.processes()) kill(pid)
    await this.quiet()
    if (existsSync(this.folder)) rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A workbench for the running test, put away when it ends. */
export function useWorkbench(): Workbench {
  const workbench = new Workbench()
  onTestFinished(() => workbench.dispose())
  return workbench
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
