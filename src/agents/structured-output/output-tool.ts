// The tool `structured_output` of one call, served to the agent by MCP over stdio: the program that the agent starts for it only
// carries bytes to a socket of this process, where the answers are judged.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server as SocketServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Server, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import type { StructuredRequest, StructuredVerdict } from '../../engine/index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/index.ts'
import { readLines } from '../process/read-lines.ts'
import { parseWellFormed } from '../well-formed.ts'
import { OUTPUT_SERVER, OUTPUT_TOOL } from './output-names.ts'

export interface OutputTool {
  /** What the agent starts. */
  command: string
  args: string[]
  env: Record<string, string>
  close(): Promise<void>
}

/** `judge` decides on each answer. */
export async function serveOutputTool(
  structured: StructuredRequest,
  judge: (answer: JsonValue) => Promise<StructuredVerdict>,
): Promise<OutputTool> {
  const folder = process.platform === 'win32' ? undefined : await mkdtemp(join(tmpdir(), 'weft-output-'))
  const path = folder === undefined ? `\\\\.\\pipe\\weft-${randomBytes(12).toString('hex')}` : join(folder, 's')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    void makeServer(structured, judge).connect(new SocketTransport(socket))
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    command: process.execPath,
    args: ['-e', BRIDGE],
    // An Electron program is told to be Node.
    env: { WEFT_OUTPUT_SOCKET: path, ELECTRON_RUN_AS_NODE: '1' },
    async close() {
      for (const socket of sockets) socket.destroy()
      await closeServer(server)
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

const BRIDGE =
  "const s=require('net').connect(process.env.WEFT_OUTPUT_SOCKET);" +
  "process.stdin.pipe(s);s.pipe(process.stdout);s.on('close',()=>process.exit(0)).on('error',()=>process.exit(1))"

function closeServer(server: SocketServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

function makeServer(structured: StructuredRequest, judge: (answer: JsonValue) => Promise<StructuredVerdict>): Server {
  const server = new Server({ name: OUTPUT_SERVER, version: '1.0.0' }, { capabilities: { tools: {} } })
  const { $schema: _dialect, ...inputSchema } = structured.objectSchema
  server.setRequestHandler('tools/list', () => ({
    tools: [
      {
        name: OUTPUT_TOOL,
        description:
          'Hands over the final answer. Call it once, when the work is done; the answer is what you give here, not what you write.',
        inputSchema: { ...inputSchema, type: 'object' as const },
        _meta: { 'anthropic/alwaysLoad': true },
      },
    ],
  }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    // Came over the wire as JSON.
    const answer = (params.arguments ?? {}) as JsonObject
    const verdict = await judge(answer)
    return verdict.ok
      ? { content: [{ type: 'text' as const, text: 'The answer is accepted. You are done: end your turn now.' }] }
      : {
          isError: true,
          content: [
            { type: 'text' as const, text: `The answer does not match the schema: ${verdict.errors.join('; ')}` },
          ],
        }
  })
  return server
}

class SocketTransport implements Transport {
  onmessage: ((message: JSONRPCMessage) => void) | undefined
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  async start(): Promise<void> {
    void this.#read()
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  async close(): Promise<void> {
    this.#socket.destroy()
  }

  async #read(): Promise<void> {
    try {
      for await (const line of readLines(this.#socket)) {
        if ('overflow' in line) break
        const message = readMessage(line.text)
        if (message !== undefined) this.onmessage?.(message)
      }
    } catch {
      // The agent has closed its end in the middle.
    }
    this.#socket.destroy()
    this.onclose?.()
  }
}

function readMessage(text: string): JSONRPCMessage | undefined {
  try {
    const value = parseWellFormed(text)
    // The SDK checks the rest.
    return isJsonObject(value) && value['jsonrpc'] === '2.0' ? (value as unknown as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}
