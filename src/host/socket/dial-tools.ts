// A harness's way in: a connection to the host's socket that has sent its first line. Light on purpose, for the bridge.

import { readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ToolClient } from '../../shared/index.ts'
import { readOwner } from '../lock/read-owner.ts'
import { TOKEN_FILE } from './token-file.ts'

/** Rejects when no host of `dataDir` listens. That the host lets it in is known from what it says next. */
export async function dialTools(dataDir: string, client: ToolClient): Promise<Socket> {
  const path = readOwner(dataDir)?.socket
  if (typeof path !== 'string') throw new Error(`no host is running for ${dataDir}`)
  const token = readFileSync(join(dataDir, TOKEN_FILE), 'utf8')
  const socket = createConnection(path)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.write(`${JSON.stringify({ token, door: 'mcp', client })}\n`)
  return socket
}
