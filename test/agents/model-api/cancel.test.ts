import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentRequest, AgentRunResult } from '../../../src/engine/index.ts'
import { startModelProvider, type ModelProvider } from '../../support/agents/model-provider/server.ts'
import type { Turn } from '../../support/agents/model-provider/turn.ts'
import { waitUntil } from '../../support/host/wait-until.ts'
import { assertDead, living, makeRequest, makeStructured, NO_HOST, ProgressLog } from '../requests.ts'
import { kindNamed, KINDS, makeBackend, type Kind } from './kinds.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-model-cancel-')))
let provider: ModelProvider
beforeAll(async () => {
  provider = await startModelProvider()
})
afterAll(async () => {
  await provider.close()
  rmSync(root, { recursive: true, force: true })
})

function start(kind: Kind, url: string, request: Partial<AgentRequest> = {}) {
  const controller = new AbortController()
  const log = new ProgressLog()
  const backend = makeBackend(kind, url, { access: 'full' })
  const running = backend.runner.run(makeRequest({ cwd: root, ...request }), NO_HOST, controller.signal, log.add)
  return { controller, log, running }
}

function expectCancelled(result: AgentRunResult, begun: number): void {
  expect(assertDead(result)).toMatchObject({ error: 'The call was cancelled.', failure: 'other' })
  // What the engine allows an agent is four seconds.
  expect(performance.now() - begun).toBeLessThan(3_000)
}

describe('a call that is cancelled', () => {
  it('while it connects, ends at once', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => void sockets.push(socket))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { controller, running } = start(kindNamed('openai'), `http://127.0.0.1:${port}/v1`)
    await waitUntil('a connection', () => sockets.length > 0)
    const begun = performance.now()
    controller.abort('stop')
    expectCancelled(await running, begun)
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it.each(KINDS)('while it waits for headers, or in the stream, ends the request: $name', async (kind) => {
    for (const turn of [{ ends: 'silent' }, { text: ['so far'], ends: 'hang' }] satisfies Turn[]) {
      const script = provider.say([turn])
      const { controller, log, running } = start(kind, script.url)
      // oxlint-disable-next-line no-await-in-loop -- one stage after the other
      await ('text' in turn ? log.until((one) => one.kind === 'text') : script.until(1))
      const begun = performance.now()
      controller.abort('stop')
      // oxlint-disable-next-line no-await-in-loop
      const result = await running
      expectCancelled(result, begun)
      if ('text' in turn) expect(result).toMatchObject({ partial: 'so far' })
      // oxlint-disable-next-line no-await-in-loop
      await script.requests[0]?.closed
      expect(script.requests).toHaveLength(1)
    }
  })

  it('while a tool runs, ends what the tool started, grandchildren included, and asks no more', async () => {
    const pids = join(root, 'pids')
    const command = `(sleep 600 & echo $! > ${pids}.part; mv ${pids}.part ${pids}; trap '' TERM; sleep 600)`
    const script = provider.say([{ calls: [{ name: 'run', input: { command } }] }])
    const { controller, running } = start(kindNamed('anthropic'), script.url)
    await waitUntil('the command', () => existsSync(pids))
    const grandchild = Number(readFileSync(pids, 'utf8'))
    expect(living([grandchild])).toEqual([grandchild])
    controller.abort('stop')
    expect(assertDead(await running).error).toBe('The call was cancelled.')
    expect(living([grandchild])).toEqual([])
    expect(script.requests).toHaveLength(1)
  })

  it('while it asks for leave, ends with the question', async () => {
    const script = provider.say([{ calls: [{ name: 'run', input: { command: 'touch ran' } }] }])
    const controller = new AbortController()
    let asked = (): void => {}
    const asking = new Promise<void>((resolve) => {
      asked = resolve
    })
    const askPermission: AgentRequest['askPermission'] = () =>
      new Promise((resolve) => {
        asked()
        controller.signal.addEventListener('abort', () => resolve({ answer: 'reject', by: 'cancelled' }))
      })
    const backend = makeBackend(kindNamed('anthropic'), script.url)
    const request = makeRequest({ cwd: root, askPermission })
    const running = backend.runner.run(request, NO_HOST, controller.signal, () => {})
    await asking
    const begun = performance.now()
    controller.abort('stop')
    expectCancelled(await running, begun)
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })

  it('while its answer is judged, gives none and asks no more', async () => {
    const script = provider.say([{ calls: [{ name: 'structured_output', input: { n: 1 } }] }])
    let judge = (): void => {}
    const judged = new Promise<void>((resolve) => {
      judge = resolve
    })
    let begin = (): void => {}
    const judging = new Promise<void>((resolve) => {
      begin = resolve
    })
    const structured = makeStructured({ type: 'object' })
    const slow: typeof structured = {
      ...structured,
      async validate(answer, form) {
        begin()
        await judged
        return structured.validate(answer, form)
      },
    }
    const { controller, running } = start(kindNamed('anthropic'), script.url, { structured: slow })
    await judging
    const begun = performance.now()
    controller.abort('stop')
    judge()
    expectCancelled(await running, begun)
    expect(script.requests).toHaveLength(1)
  })
})
