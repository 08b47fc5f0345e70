// A model provider on loopback that speaks each wire format and says what a test has it say. It thinks nothing.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/shared/index.ts'
import { anthropic } from './anthropic.ts'
import { chat } from './chat.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'
import { event, type Turn, type Wire } from './turn.ts'

export interface ModelRequest {
  path: string
  headers: IncomingHttpHeaders
  body: JsonObject
  /** When the connection has ended, by whomever. */
  closed: Promise<void>
}

/** A conversation: what is said to each of its requests, the last one for ever. */
export interface Script {
  url: string
  requests: ModelRequest[]
  /** Resolves once so many requests have come. */
  until(count: number): Promise<void>
}

export interface ModelProvider {
  say(turns: readonly Turn[]): Script
  close(): Promise<void>
}

const WIRES: readonly (readonly [RegExp, Wire])[] = [
  [/\/messages$/, anthropic],
  [/\/chat\/completions$/, chat],
  [/\/responses$/, responses],
  [/:streamGenerateContent$/, gemini],
]

interface Known extends Script {
  turns: readonly Turn[]
  waiting: { count: number; resolve: () => void }[]
}

export async function startModelProvider(): Promise<ModelProvider> {
  const scripts: Known[] = []
  const server = createServer((request, response) => void answer(scripts, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server has one.
  const { port } = server.address() as AddressInfo
  return {
    say(turns) {
      const script: Known = {
        url: `http://127.0.0.1:${port}/${scripts.length}/v1`,
        turns,
        requests: [],
        waiting: [],
        until: (count) =>
          script.requests.length >= count
            ? Promise.resolve()
            : new Promise((resolve) => {
                script.waiting.push({ count, resolve })
              }),
      }
      scripts.push(script)
      return script
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(scripts: Known[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    response.once('close', resolve)
  })
  const path = (request.url ?? '').split('?')[0] ?? ''
  const chunks: Buffer[] = []
  // Without an encoding set, a request gives Buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body: JsonValue = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const script = scripts[Number(path.split('/')[1])]
  const wire = WIRES.find(([pattern]) => pattern.test(path))?.[1]
  if (script === undefined || wire === undefined || !isJsonObject(body)) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such path"}}')
    return
  }
  script.requests.push({ path, headers: request.headers, body, closed })
  for (const { count, resolve } of script.waiting) if (script.requests.length >= count) resolve()
  const turn = script.turns[Math.min(script.requests.length, script.turns.length) - 1] ?? {}
  const model = typeof body['model'] === 'string' ? body['model'] : 'm'
  await play(turn, wire, model, response)
}

async function play(turn: Turn, wire: Wire, model: string, response: ServerResponse): Promise<void> {
  if (turn.ends === 'silent') return
  if (turn.delayMs !== undefined)
    await new Promise((resolve) => {
      setTimeout(resolve, turn.delayMs)
    })
  if (turn.error) {
    const { status, headers, body } = turn.error
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  for (const piece of wire.content(turn, model)) response.write(piece)
  if (turn.streamError !== undefined) {
    response.end(event(turn.streamError, 'error'))
    return
  }
  if (turn.ends === 'hang') return
  if (turn.ends === 'cut') {
    // Once what was written is on its way.
    response.write('', () => response.socket?.destroy())
    return
  }
  response.end(turn.ends === 'half' ? '' : wire.end(turn, model).join(''))
}
