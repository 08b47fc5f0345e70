// A host on folders of its own, as the window or the command line opens one.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostSession } from '../../src/host/index.ts'
import { loadProduct, WORKERS } from './build.ts'

export interface BenchHost {
  session: HostSession
  workspace: string
  close(): Promise<void>
}

export async function openBenchHost(): Promise<BenchHost> {
  const root = mkdtempSync(join(tmpdir(), 'weft-bench-'))
  const folders = Object.fromEntries(
    ['dataDir', 'configDir', 'bundledWorkflows', 'workspace', 'home'].map((name) => [name, join(root, name)]),
  ) as Record<'dataDir' | 'configDir' | 'bundledWorkflows' | 'workspace' | 'home', string>
  for (const folder of Object.values(folders)) mkdirSync(folder)
  const { workspace, home, ...rest } = folders
  const complain = (message: string): void => void process.stderr.write(`${message}\n`)
  const host = await loadProduct().createHost({
    ...rest,
    workers: WORKERS,
    version: '0.0.0-bench',
    bridge: { command: 'node', args: [], env: {} },
    logger: { debug() {}, info() {}, warn: complain, error: complain },
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: root },
    socket: false,
  })
  return {
    session: host.openSession({ kind: 'test', workspace }),
    workspace,
    async close() {
      await host.dispose('the benchmark is over')
      rmSync(root, { recursive: true, force: true })
    },
  }
}
