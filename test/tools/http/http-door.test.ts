import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createHost } from '../../../src/host/index.ts'
import { openToolDoor } from '../../../src/tools/index.ts'
import { asRunId } from '../../../src/shared/index.ts'
import { bundledWorkers, hostOptions, makeFolders, writeFileIn } from '../../support/host/make-host.ts'
import { createLogKeeper } from '../../support/host/quiet-logger.ts'
import { describeHarness, type HarnessWorld } from '../../support/tools/describe-harness.ts'
import { connectMinimal, connectSdk, type Harness } from '../../support/tools/harness.ts'
import { connectHttp, httpHeaders, type HttpTarget } from '../../support/tools/http-client.ts'
import { shareToolHost } from '../../support/tools/tool-host.ts'

const TOKEN = 'a-token-of-this-test'

const fixture = shareToolHost(async ({ workspace }) => {
  const saved = `export const meta = { name: 'saved', description: 'a saved one' }\nreturn args.n\n`
  await writeFileIn(workspace, 'workflows/saved.js', saved)
})

let target: HttpTarget
let port = 0
beforeAll(async () => {
  const door = await fixture().tools.listenHttp({ port: 0, token: TOKEN })
  port = door.port
  target = { url: `http://127.0.0.1:${port}/mcp`, token: TOKEN, workspace: fixture().folders.workspace }
})

/** The status of a POST with these headers. */
function knock(headers: Record<string, string>, path = '/mcp'): Promise<number | undefined> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

describe('the door over HTTP', () => {
  test('lets in nobody without the token, of another name, or from a foreign page', async () => {
    const own = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
    const statuses = await Promise.all([
      knock({ 'Content-Type': 'application/json' }),
      knock({ ...own, Authorization: 'Bearer wrong' }),
      knock({ ...own, Authorization: TOKEN }),
      knock({ ...own, Host: `evil.example:${port}` }),
      knock({ ...own, Origin: 'http://evil.example' }),
      knock({ ...own, Origin: 'null' }),
      knock(own, '/'),
      knock({ ...own, 'Mcp-Session-Id': 'nobody' }),
    ])
    expect(statuses).toEqual([401, 401, 401, 403, 403, 403, 404, 404])
  })

  test('answers what is no frame with the error of the specification, and nobody else notices', async () => {
    const beside = await minimal('beside')
    const headers = {
      ...httpHeaders(target),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    }
    const answerTo = async (body: string): Promise<unknown[]> => {
      const response = await fetch(target.url, { method: 'POST', headers, body })
      const text = await response.text()
      const { error } = JSON.parse(text.replace(/^(event:.*\n)?data: /, '') || '{}') as { error?: { code: number } }
      return [body.slice(0, 50), response.status, error?.code]
    }
    const bodies = [
      'garbage',
      '',
      '\0',
      '[]',
      '7',
      '{"id":3,"method":"ping"}',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    ]
    expect(await Promise.all(bodies.map(answerTo))).toEqual(
      bodies.map((body, index) => [body, 400, index < 3 ? -32700 : -32600]),
    )
    expect((await beside.call('workflow_list', {})).isError).toBe(false)
    await beside.close()
  })

  test.each([
    ['1', true],
    ['many', true],
    ['0', false],
    [undefined, false],
  ])('keeps the tool from an agent that a run started: depth %s', async (depth, kept) => {
    const more = depth === undefined ? {} : { 'Weft-Depth': depth }
    for (const connectWith of [sdkWith, minimalWith]) {
      const harness = await connectWith(more)('nested')
      const { tools } = await harness.ask('tools/list')
      const names = (tools as { name: string }[]).map(({ name }) => name) // the protocol's shape
      expect(names.includes('workflow')).toBe(!kept)
      const { isError } = await harness.call('workflow', {
        script: `export const meta = { name: 'a', description: 'b' }`,
      })
      expect(isError).toBe(kept)
      await harness.close()
    }
  })

  test('takes no body above the limit', async () => {
    const headers = {
      ...httpHeaders(target),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    }
    const response = await fetch(target.url, { method: 'POST', headers, body: `"${'x'.repeat(17 * 1024 * 1024)}"` })
    expect(response.status).toBe(413)
  })
})

test('a host listens where its settings say, with a token that stays the same', async () => {
  const folders = await makeFolders()
  const wanted = await freePort()
  await writeFileIn(folders.dataDir, 'settings.json', JSON.stringify({ toolServerPort: wanted }))
  const start = async () =>
    createHost({
      ...hostOptions(folders, createLogKeeper().logger),
      workers: await bundledWorkers(),
      tools: openToolDoor,
    })
  const tokenOf = (): string => readFileSync(join(folders.dataDir, 'http-token'), 'utf8').trim()
  const host = await start()
  const token = tokenOf()
  expect(statSync(join(folders.dataDir, 'http-token')).mode & 0o077).toBe(0)
  const { rpc, end } = connectHttp({ url: `http://127.0.0.1:${wanted}/mcp`, token, workspace: folders.workspace })
  await rpc.initialize()
  expect(await rpc.request('ping')).toEqual({})
  end()
  await host.dispose('the test has ended')
  await expect(fetch(`http://127.0.0.1:${wanted}/mcp`)).rejects.toThrow()
  const next = await start()
  expect(tokenOf()).toBe(token)
  await next.dispose('the test has ended')
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo // it listens on TCP
  server.close()
  await once(server, 'close')
  return free
}

type Connect = (name: string) => Promise<Harness>

const sdkWith =
  (more: Record<string, string>): Connect =>
  (name) => {
    const requestInit = { headers: { ...httpHeaders(target), ...more } }
    return connectSdk(new StreamableHTTPClientTransport(new URL(target.url), { requestInit }), name, 'modern')
  }

const minimalWith =
  (more: Record<string, string>): Connect =>
  (name) => {
    const { rpc, end } = connectHttp({ ...target, headers: more })
    return connectMinimal(rpc, name, 'legacy', end)
  }

const [sdk, minimal] = [sdkWith({}), minimalWith({})]

const worldOf = (connect: Connect) => (): HarnessWorld => ({
  connect,
  writeSettings: (settings) => fixture().writeSettings(settings),
  async statusOf(runId) {
    const { row } = await fixture().session.call('run.get', { runId: asRunId(runId) })
    return row.status
  },
})

describeHarness("the SDK's client of 2026 over HTTP", worldOf(sdk))
describeHarness('a minimal client over HTTP', worldOf(minimal))
