// One suite for every way in and every kind of client: what a test asks of them, whoever does it.

import { Client, type Progress } from '@modelcontextprotocol/client'
import type { Transport } from '@modelcontextprotocol/client'
import type { Socket } from 'node:net'
import type { RpcClient } from './rpc-client.ts'

export interface Answer {
  texts: string[]
  structured: { [key: string]: unknown } | undefined
  isError: boolean
  card: unknown
}

export interface CallOptions {
  /** Asks for progress. */
  onProgress?: (message: string) => void
  /** Cancels the call. */
  signal?: AbortSignal
}

export interface Harness {
  call(tool: string, input?: object, options?: CallOptions): Promise<Answer>
  /** The result of any other method. */
  ask(
    method: 'tools/list' | 'prompts/list' | 'prompts/get' | 'resources/list' | 'resources/read',
    params?: object,
  ): Promise<{
    [key: string]: unknown
  }>
  instructions(): string | undefined
  close(): Promise<void>
}

function toAnswer(result: { [key: string]: unknown }): Answer {
  // Answers of tool calls have this shape by the protocol.
  const { content, structuredContent, isError, _meta } = result as {
    content: { text: string }[]
    structuredContent?: { [key: string]: unknown }
    isError?: boolean
    _meta?: { [key: string]: unknown }
  }
  return {
    texts: content.map(({ text }) => text),
    structured: structuredContent,
    isError: isError === true,
    card: _meta?.['weft/card'],
  }
}

/** The SDK's own client; `modern` speaks the revision of 2026-07-28. */
export async function connectSdk(transport: Transport, name: string, era: 'legacy' | 'modern'): Promise<Harness> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy'
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return {
    async call(tool, input = {}, { onProgress, signal } = {}) {
      const result = await client.callTool(
        { name: tool, arguments: { ...input } },
        {
          timeout: 60_000,
          ...(signal && { signal }),
          ...(onProgress && { onprogress: ({ message }: Progress) => onProgress(message ?? '') }),
        },
      )
      return toAnswer(result)
    },
    async ask(method, params = {}) {
      // Each method takes its own parameters; the tests give the right ones.
      return client.request({ method, params } as never) as Promise<{ [key: string]: unknown }>
    },
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  }
}

const MODERN_ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The minimal client in either era. */
export async function connectMinimal(
  rpc: RpcClient,
  name: string,
  era: 'legacy' | 'modern',
  end: () => void,
): Promise<Harness> {
  const envelope =
    era === 'modern' ? { ...MODERN_ENVELOPE, 'io.modelcontextprotocol/clientInfo': { name, version: '1' } } : {}
  const hello =
    era === 'legacy' ? await rpc.initialize(name) : await rpc.request('server/discover', { _meta: envelope })
  let tokens = 0
  return {
    async call(tool, input = {}, { onProgress, signal } = {}) {
      const token = onProgress === undefined ? undefined : `token-${++tokens}`
      const meta = { ...envelope, ...(token !== undefined && { progressToken: token }) }
      const id = rpc.ask('tools/call', { name: tool, arguments: input, _meta: meta })
      const stop = rpc.onMessage(({ method, params }) => {
        if (method !== 'notifications/progress' || params?.['progressToken'] !== token) return
        onProgress?.(String(params?.['message']))
      })
      const cancelled = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => {
          rpc.notify('notifications/cancelled', { requestId: id, _meta: envelope })
          reject(new Error('cancelled'))
        })
      })
      try {
        const { result, error } = await Promise.race([rpc.answer(id), cancelled])
        if (error !== undefined) throw new Error(`${error.code}: ${error.message}`)
        return toAnswer(result ?? {})
      } finally {
        stop()
      }
    },
    ask: (method, params = {}) => rpc.request(method, { ...params, _meta: envelope }),
    instructions: () => String(hello['instructions']),
    async close() {
      end()
      await rpc.closed
    },
  }
}

/** The SDK's transport over a socket whose first line has been sent. */
export function socketTransport(socket: Socket): Transport {
  let rest = ''
  const transport: Transport = {
    async start() {
      socket.setEncoding('utf8')
      socket.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line !== '') transport.onmessage?.(JSON.parse(line))
      })
      socket.once('close', () => transport.onclose?.())
    },
    async send(message) {
      socket.write(`${JSON.stringify(message)}\n`)
    },
    async close() {
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.end()
      socket.destroySoon()
      await closed
    },
  }
  return transport
}
