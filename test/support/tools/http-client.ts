// The minimal client over HTTP: each line it writes is a POST, each answer and each event comes back as a line.

import { PassThrough, Writable } from 'node:stream'
import { RpcClient } from './rpc-client.ts'

export interface HttpTarget {
  url: string
  token: string
  workspace: string
  /** Sent with each request. */
  headers?: Record<string, string>
}

export function httpHeaders({ token, workspace, headers }: HttpTarget): Record<string, string> {
  return { Authorization: `Bearer ${token}`, 'Weft-Workspace': workspace, ...headers }
}

/** `end` closes it and ends the session. */
export function connectHttp(target: HttpTarget): { rpc: RpcClient; end: () => void } {
  const output = new PassThrough()
  let session: string | undefined
  const makeHeaders = (): Record<string, string> => ({
    ...httpHeaders(target),
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...(session !== undefined && { 'Mcp-Session-Id': session }),
  })
  const post = async (line: string): Promise<void> => {
    const response = await fetch(target.url, { method: 'POST', headers: makeHeaders(), body: line })
    session ??= response.headers.get('mcp-session-id') ?? undefined
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!isStream) {
      const text = await response.text()
      if (text !== '') output.write(`${text}\n`)
      return
    }
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const each of lines) if (each.startsWith('data: {')) output.write(`${each.slice(6)}\n`)
    }
  }
  const input = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      const sent = chunk.split('\n').filter((line) => line !== '')
      // Only the handshake is waited for: what comes after it needs its session.
      const posts = sent.map((line) => ({ posted: post(line).catch(() => undefined), line }))
      const waited = posts.filter(({ line }) => line.includes('"initialize"')).map(({ posted }) => posted)
      void Promise.all(waited).then(() => done())
    },
  })
  const end = (): void => {
    const headers = { ...httpHeaders(target), ...(session !== undefined && { 'Mcp-Session-Id': session }) }
    // A host that is ending by then answers nothing any more.
    fetch(target.url, { method: 'DELETE', headers }).catch(() => undefined)
    output.destroy()
  }
  return { rpc: new RpcClient(output, input), end }
}
