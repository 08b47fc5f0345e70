// What a test's host is made of; free of the test runner, since processes that a test starts use it too.

import type { HostOptions } from '../../../src/host/index.ts'

const source = (path: string): URL => new URL(`../../../src/${path}`, import.meta.url)

export const WORKERS: HostOptions['workers'] = {
  sandbox: source('engine/sandbox/worker.ts'),
  checker: source('engine/check/worker.ts'),
  writer: source('store/writer-worker.ts'),
  answers: source('agents/simulated/generate/answer-worker.ts'),
  reaper: source('agents/process/reaper.ts'),
}

export interface Folders {
  root: string
  dataDir: string
  configDir: string
  workspace: string
  bundledWorkflows: string
  home: string
}

export function hostOptions(folders: Folders, logger: HostOptions['logger']): HostOptions {
  const { dataDir, configDir, bundledWorkflows, home, root } = folders
  return {
    dataDir,
    configDir,
    bundledWorkflows,
    workers: WORKERS,
    version: '0.0.0-test',
    bridge: { command: '/usr/bin/node', args: ['/opt/weft/bin/weft.mjs', 'mcp'], env: {} },
    logger,
    // Sockets go where this test's files go.
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: root },
  }
}
