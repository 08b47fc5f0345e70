// A harness's way in: a connection to the host's socket that has sent its first line. Light on purpose, for the bridge.

import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { isNewerVersion, type ToolClient } from '../../shared/index.ts'
import { readOwner } from '../lock/read-owner.ts'
import { TOKEN_FILE } from './token-file.ts'

const ANSWER_MS = 2000
const GONE_MS = 5000
const LOOK_MS = 25

/**
 * Rejects when no host of `dataDir` listens. That the host lets it in is known from what it says next. A host that is
 * older than `version` is asked to give way before: it rejects too when that one does, and has gone.
 */
export async function dialTools(dataDir: string, client: ToolClient, version?: string): Promise<Socket> {
  const owner = readOwner(dataDir)
  if (typeof owner?.socket !== 'string') throw new Error(`no host is running for ${dataDir}`)
  if (version !== undefined && isNewerVersion(version, owner.version) && (await askToRetire(dataDir, version))) {
    await waitUntilGone(dataDir, owner.pid)
    throw new Error(`the host of version ${owner.version} has given way`)
  }
  return dial(dataDir, { door: 'mcp', client })
}

async function dial(dataDir: string, firstLine: object): Promise<Socket> {
  const path = readOwner(dataDir)?.socket
  if (typeof path !== 'string') throw new Error(`no host is running for ${dataDir}`)
  const token = readFileSync(join(dataDir, TOKEN_FILE), 'utf8')
  const socket = createConnection(path)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.write(`${JSON.stringify({ token, ...firstLine })}\n`)
  return socket
}

/** Whether it does: one that has runs goes on, and gives way when they are over. */
async function askToRetire(dataDir: string, version: string): Promise<boolean> {
  const socket = await dial(dataDir, { door: 'retire', version })
  return new Promise((resolve) => {
    let text = ''
    // One that does not understand the question refuses it and goes on.
    const settle = (): void => {
      socket.destroy()
      resolve(/"retiring":\s*true/.test(text))
    }
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    socket.setTimeout(ANSWER_MS, settle)
    socket.once('error', settle)
    socket.once('end', settle)
  })
}

async function waitUntilGone(dataDir: string, pid: number): Promise<void> {
  for (let waited = 0; waited < GONE_MS && readOwner(dataDir)?.pid === pid; waited += LOOK_MS) {
    // Nothing tells of the end of a process that is no child.
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((next) => setTimeout(next, LOOK_MS))
  }
}
