// `weft mcp` as a process: the harness's pipes, the host's socket, and a host of its own where none runs. Like run-process.ts
// it touches `process`; it loads as little as it can.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { locateUser } from '../../host/paths.ts'
import { dialTools } from '../../host/socket/dial-tools.ts'
import { LineSplitter, MAX_FRAME_BYTES } from '../../host/wire/line-splitter.ts'
import { runBridge } from '../../tools/bridge/bridge.ts'
import { DEFAULT_TOOL_NAME } from '../../tools/manifest/server-info.ts'
import { readBridgeArguments } from './arguments.ts'

/** Results may be far larger than what a host takes from a client. */
const MAX_ANSWER_BYTES = 500 * 1024 * 1024

/** Resolves never: the process ends with its harness. */
export async function bridgeProcess(bundleDir: string): Promise<void> {
  const given = readBridgeArguments(process.argv.slice(2))
  const { env } = process
  const { dataDir } = locateUser(given?.dataDir, env, process.cwd())
  const client = {
    workspace: resolve(given?.workspace ?? process.cwd()),
    session: randomBytes(24).toString('base64url'),
    depth: given?.depth ?? (Number(env['WEFT_DEPTH']) || 0),
  }
  const version = readVersion(bundleDir)
  await runBridge({
    input: process.stdin,
    output: process.stdout,
    manifest: { version, toolName: readToolName(dataDir), depth: client.depth },
    readLines: (from, handlers) =>
      new LineSplitter({ maxBytes: from === 'client' ? MAX_FRAME_BYTES : MAX_ANSWER_BYTES, ...handlers }),
    dial: () => dialTools(dataDir, client, version),
    startHost: () => startHost(dataDir),
    log: (message) => void process.stderr.write(`weft mcp: ${message}\n`),
  })
  process.exit(0)
}

function readVersion(bundleDir: string): string {
  // package.json is part of the package and has a version.
  const { version } = JSON.parse(readFileSync(join(bundleDir, '..', '..', 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}

/** The host judges the settings; here a name that can't be used is as good as none. */
function readToolName(dataDir: string): string {
  try {
    const settings: unknown = JSON.parse(readFileSync(join(dataDir, 'settings.json'), 'utf8'))
    const name = typeof settings === 'object' && settings !== null && 'toolName' in settings ? settings.toolName : ''
    return typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : DEFAULT_TOOL_NAME
  } catch {
    return DEFAULT_TOOL_NAME
  }
}

/** A host that is shared by all and outlives this process. A second one that starts at the same time gives way by itself. */
function startHost(dataDir: string): void {
  const logs = join(dataDir, 'logs')
  mkdirSync(logs, { recursive: true, mode: 0o700 })
  const log = openSync(join(logs, 'headless.log'), 'a', 0o600)
  const [, entry = ''] = process.argv
  const child = spawn(process.execPath, [...process.execArgv, entry, '--data-dir', dataDir, 'host'], {
    detached: true,
    stdio: ['ignore', 'ignore', log],
    // Where it stands belongs to nobody's project.
    cwd: dataDir,
    windowsHide: true,
  })
  child.on('error', (error) => process.stderr.write(`weft mcp: no host could be started: ${error.message}\n`))
  child.unref()
  closeSync(log)
}
