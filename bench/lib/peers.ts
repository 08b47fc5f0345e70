// The programs that the engine is compared with. They are installed beside this file on demand, from their own lock.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './build.ts'

const FOLDER = join(ROOT, 'bench', 'peers')
const DSH = '@deepseek-ai/dsh-workflow-worker-thread'

/** Throws when npm can't install them. */
export function installPeers(): void {
  const wanted = versionIn(join(FOLDER, 'package-lock.json'))
  if (wanted !== undefined && wanted === versionIn(join(FOLDER, 'node_modules', '.package-lock.json'))) return
  // Nothing of theirs runs at installation; peers of theirs that no benchmark needs are left out.
  const args = ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund']
  const { status, stderr } = spawnSync('npm', args, {
    cwd: FOLDER,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { ...process.env, npm_config_prefix: undefined },
  })
  if (status !== 0) throw new Error(`The peers in bench/peers could not be installed:\n${stderr}`)
}

function versionIn(lock: string): string | undefined {
  if (!existsSync(lock)) return undefined
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, { version?: string }> }
  return packages[`node_modules/${DSH}`]?.version
}

/** The part of the peer's surface that is used here. */
interface DshRun {
  result: Promise<{ stopReason: string; agentsStarted: number; error?: unknown }>
  dispose(): Promise<void>
}
interface DshContext {
  plugin(plugin: unknown, config?: object): PromiseLike<unknown>
  workflowEngine: { start(request: object): DshRun }
}
type DshModule = { default: unknown }
type CordisModule = { Context: new () => DshContext; Service: new (context: unknown, name: string) => object }

export interface Peer {
  /** Milliseconds from start to result; the end of its worker is not counted. */
  run(script: string, agents: number): Promise<number>
}

/** dsh with a stub in place of its sub-agents, which answers at once as our no-op back end does. Stores nothing. */
export async function openDsh(maxConcurrentAgents: number): Promise<Peer> {
  const resolve = createRequire(join(FOLDER, 'package.json')).resolve
  // Typed above, as far as they are used.
  const { Context, Service } = (await import(pathToFileURL(resolve('@deepseek-ai/cordis')).href)) as CordisModule
  const { default: engine } = (await import(pathToFileURL(resolve(DSH)).href)) as DshModule
  class Subagents extends Service {
    constructor(context: unknown) {
      super(context, 'subagents')
    }
    getProvider(): object {
      return { name: 'spawn' }
    }
    async start(): Promise<object> {
      const result = Promise.resolve({ output: [{ type: 'text', text: 'done' }], stopReason: 'completed' })
      return { id: 'child', result, dispose: () => Promise.resolve() }
    }
  }
  const context = new Context()
  await context.plugin(Subagents)
  await context.plugin(engine, { maxConcurrentAgents })
  return {
    async run(script, agents) {
      const start = performance.now()
      const run = context.workflowEngine.start({ meta: { name: 'bench', description: 'A benchmark.' }, script })
      const { stopReason, agentsStarted, error } = await run.result
      const took = performance.now() - start
      await run.dispose()
      if (stopReason !== 'completed' || agentsStarted !== agents)
        throw new Error(`dsh ended ${stopReason} after ${agentsStarted} agents: ${JSON.stringify(error)}`)
      return took
    },
  }
}
