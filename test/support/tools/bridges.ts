// Real bridges of the built command line, each a process, and the headless hosts that they start.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { readOwner } from '../../../src/host/index.ts'
import { bin } from '../cli/workbench.ts'
import type { Folders } from '../host/make-host.ts'
import { waitUntil } from '../host/wait-until.ts'
import { RpcClient } from './rpc-client.ts'

export interface Bridge {
  process: ChildProcess
  rpc: RpcClient
  /** What it said besides the protocol. */
  said(): string
  /** Resolves with the exit code, null after a signal. */
  exited: Promise<number | null>
}

export function bridgeCommand({ dataDir, workspace }: Folders): { command: string; args: string[] } {
  return { command: process.execPath, args: [bin, '--data-dir', dataDir, 'mcp', '--workspace', workspace] }
}

/** What the bridge and the host that it starts have around them: everything of theirs goes where the test's files go. */
export function bridgeEnv({ home, root, configDir }: Folders): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_RUNTIME_DIR: root,
    XDG_CONFIG_HOME: join(configDir, '..'),
  }
}

export function startBridge(folders: Folders): Bridge {
  const { command, args } = bridgeCommand(folders)
  const child = spawn(command, args, { env: bridgeEnv(folders), stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const exited = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null))
  return { process: child, rpc: new RpcClient(child.stdout, child.stdin), said: () => said, exited }
}

export function startHeadless({ dataDir }: Folders, env: Record<string, string>, idleSeconds: number): ChildProcess {
  const args = [bin, '--data-dir', dataDir, 'host', '--idle', String(idleSeconds)]
  return spawn(process.execPath, args, { env, stdio: 'ignore' })
}

/** The pid of the host that listens. */
export function hostPid({ dataDir }: Folders): Promise<number> {
  return waitUntil('a host listens', () => {
    const owner = readOwner(dataDir)
    return owner?.socket == null ? undefined : owner.pid
  })
}

/** Ends the host, if there is one, and waits until it is gone. */
export async function endHost({ dataDir }: Folders, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const pid = readOwner(dataDir)?.pid
  if (pid === undefined || !isAlive(pid)) return
  process.kill(pid, signal)
  await waitUntil('the host is gone', () => !isAlive(pid))
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
