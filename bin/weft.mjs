#!/usr/bin/env node
// Starts the built command line (out/main/weft.cjs). Where the Node that runs this file is too old for better-sqlite3, it
// hands over to the one that `npm ci` put into node_modules, and stands in for it: signals, exit code, life and death.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

// better-sqlite3 13 is built for Node-API 10 and crashes on Node 20.
const OLDEST_NODE = '22.14'
const HANDED_OVER = 'WEFT_HANDED_OVER'
const NOTHING_RAN = 2
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

const require = createRequire(import.meta.url)
// Node has resolved symbolic links already, so this is the package wherever the command was linked to.
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const commandLine = join(root, 'out', 'main', 'weft.cjs')

function fail(message) {
  process.stderr.write(`weft: ${message}\n`)
  process.exitCode = NOTHING_RAN
}

function isNewEnough() {
  // Electron brings a Node of its own and an addon made for it.
  if (process.versions.electron !== undefined) return true
  return Number(process.versions.node.split('.')[0]) >= 22 && Number(process.versions.napi) >= 10
}

function findBundledNode() {
  try {
    const folder = dirname(require.resolve('node/package.json'))
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

function handOver(node) {
  // The channel tells the child when this process is gone, and carries signals: a Ctrl-C reaches both from the terminal,
  // so a child that counts them must be able to tell a forwarded one from its own.
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [HANDED_OVER]: '1' },
  })
  let countsSignals = false
  child.on('message', (message) => {
    if (message?.type === 'weft:counts-signals') countsSignals = true
  })
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      if (countsSignals && child.connected) child.send({ type: 'weft:signal', signal }, () => {})
      else child.kill(signal)
    })
  }
  child.on('error', (error) => fail(`could not start ${node}: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function dieWithParent() {
  delete process.env[HANDED_OVER]
  // Whoever kills the process they started means this one too; what it ran is then found interrupted, as after any kill.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel?.unref()
}

const handedOver = process.env[HANDED_OVER] !== undefined && process.channel !== undefined
if (handedOver) dieWithParent()

if (!existsSync(commandLine)) {
  fail(`it is not built yet: ${commandLine} is missing. Run "npm ci && npm run build" in ${root}.`)
} else if (isNewEnough()) {
  require(commandLine)
} else {
  const node = handedOver ? undefined : findBundledNode()
  if (node !== undefined) handOver(node)
  else {
    fail(
      `Node ${OLDEST_NODE} or newer is needed, this is ${process.version}, and node_modules holds none. ` +
        `Run "npm ci" in ${root}, or start it with a newer Node.`,
    )
  }
}
