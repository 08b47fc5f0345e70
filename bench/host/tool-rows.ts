// What a harness waits for: the bridge's first answers, and a question that goes through bridge and socket to the host.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createConnection, type createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker, type parentPort, type workerData } from 'node:worker_threads'
import { ROOT } from '../lib/build.ts'
import { median, ROUNDS } from '../lib/measure.ts'
import { toRow, type Benchmark, type Row } from '../lib/row.ts'

export const TOOL_ROWS = {
  status: {
    name: '`workflow_status` through bridge and socket, p50',
    goal: 'status',
    referenceName: 'echo of the same bytes over a socket, p50, and 2 ms',
    unit: 'ms',
    limit: 1,
  },
  start: {
    name: '`weft mcp` answers `initialize` and `tools/list`, no host running',
    goal: 'start',
    referenceName: 'allowed',
    unit: 'ms',
    limit: 1,
  },
} satisfies Record<string, Benchmark>

const WEFT = join(ROOT, 'bin', 'weft.mjs')
const CALLS = 400
const MORE_MS = 2
const START_MS = 300

export async function measureTools(): Promise<Row[]> {
  // What a harness starts is the built command line.
  const built = spawnSync('npx', ['electron-vite', 'build'], {
    cwd: ROOT,
    stdio: 'ignore',
    shell: process.platform === 'win32',
  })
  if (built.status !== 0) throw new Error('the build failed: `npm run build` says why')
  const root = mkdtempSync(join(tmpdir(), 'weft-bench-'))
  try {
    const starts: number[] = []
    // The first one fills the system's caches.
    for (let round = -1; round < ROUNDS; round++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
      const took = await measureStart(root, `s${round}`)
      if (round >= 0) starts.push(took)
    }
    const status = await measureStatus(root)
    return [
      toRow(TOOL_ROWS.status, { ours: status.ours, reference: status.echo + MORE_MS }),
      toRow(TOOL_ROWS.start, { ours: median(starts), reference: START_MS }),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function measureStart(root: string, name: string): Promise<number> {
  const began = performance.now()
  const bridge = new Bridge(root, name)
  await bridge.open()
  const took = performance.now() - began
  await bridge.close()
  return took
}

async function measureStatus(root: string): Promise<{ ours: number; echo: number }> {
  const bridge = new Bridge(root, 'status')
  await bridge.open()
  const call = { name: 'workflow_status', arguments: {} }
  // The host has to come up first.
  const answer = await bridge.request('tools/call', call)
  const echo = await openEcho(join(root, 'echo.sock'))
  const ours: number[] = []
  const echoes: number[] = []
  for (let n = 0; n < CALLS; n++) {
    // In turn, so that both meet the same load.
    // oxlint-disable no-await-in-loop
    ours.push(await timed(() => bridge.request('tools/call', call)))
    echoes.push(await timed(() => echo.ask(answer)))
    // oxlint-enable no-await-in-loop
  }
  echo.close()
  await bridge.close()
  return { ours: median(ours), echo: median(echoes) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The built bridge, and the host that it starts: in a data folder of its own. */
class Bridge {
  readonly #dataDir: string
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (line: string) => void>()
  #ids = 0

  constructor(root: string, name: string) {
    this.#dataDir = join(root, name)
    const home = join(root, 'home')
    mkdirSync(home, { recursive: true })
    this.#child = spawn(process.execPath, [WEFT, '--data-dir', this.#dataDir, 'mcp', '--workspace', root], {
      env: { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: root },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    if (this.#child.stdout === null) throw new Error('the bridge has an output')
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      // Each is a JSON-RPC message; those without a request's id are news.
      const { id } = JSON.parse(line) as { id?: number }
      if (id !== undefined) this.#waiting.get(id)?.(line)
    })
  }

  async open(): Promise<void> {
    const clientInfo = { name: 'bench', version: '1' }
    await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
    await this.request('tools/list', {})
  }

  /** Answers the whole line. */
  request(method: string, params: object): Promise<string> {
    const id = ++this.#ids
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await ended
    await this.#endHost()
  }

  /** It may only just be starting. */
  async #endHost(): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      const pid = this.#ownerPid()
      if (pid !== undefined) {
        process.kill(pid, 'SIGTERM')
        break
      }
      // oxlint-disable-next-line no-await-in-loop -- nothing tells of another program's start
      await new Promise((next) => setTimeout(next, 25))
    }
    for (let tries = 0; tries < 400 && this.#ownerPid() !== undefined; tries++) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await new Promise((next) => setTimeout(next, 25))
    }
  }

  #ownerPid(): number | undefined {
    try {
      const owner = JSON.parse(readFileSync(join(this.#dataDir, 'owner.json'), 'utf8')) as {
        pid: number
        socket: unknown
      }
      return owner.socket === null ? undefined : owner.pid
    } catch {
      return undefined
    }
  }
}

/** A socket that gives back each line, from another thread. */
async function openEcho(path: string): Promise<{ ask(line: string): Promise<void>; close(): void }> {
  const worker = new Worker(`(${serveEcho.toString()})(require)`, { eval: true, workerData: path })
  await once(worker, 'message')
  const socket = createConnection(path)
  await once(socket, 'connect')
  const lines = createInterface({ input: socket })
  return {
    async ask(line) {
      const answered = once(lines, 'line')
      socket.write(`${line}\n`)
      await answered
    },
    close() {
      socket.destroy()
      void worker.terminate()
    },
  }
}

function serveEcho(load: (name: string) => unknown): void {
  const { createServer: listen } = load('node:net') as { createServer: typeof createServer }
  const threads = load('node:worker_threads') as { parentPort: typeof parentPort; workerData: typeof workerData }
  listen((socket) => socket.pipe(socket)).listen(String(threads.workerData), () =>
    threads.parentPort?.postMessage('listening'),
  )
}
