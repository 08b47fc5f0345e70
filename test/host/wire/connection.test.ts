import { describe, expect, onTestFinished, test } from 'vitest'
import { connectWire } from '../../../src/host/wire/connection.ts'
import type { HostPush, HostReply, RunEvent, RunId } from '../../../src/shared/index.ts'
import { shareHost, useEchoAgent } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { waitUntil } from '../../support/host/wait-until.ts'
import { watchRun } from '../../support/host/watch-run.ts'

const MIB = 1024 * 1024

describe('a connection', () => {
  const shared = shareHost(useEchoAgent)

  /** A wire whose other end reads as fast as the test says. */
  function connect() {
    const { host, folders } = shared()
    const frames: (HostReply | HostPush)[] = []
    const wire = { unsent: 0, ended: '' }
    const connection = connectWire(
      host,
      { kind: 'test', workspace: folders.workspace },
      {
        // What the connection sends are the contract's frames.
        send: (text) => void frames.push(JSON.parse(text) as HostReply | HostPush),
        unsentBytes: () => wire.unsent,
        close: (reason) => {
          wire.ended = reason
        },
      },
    )
    onTestFinished(() => connection.end())
    const replies = (): HostReply[] => frames.filter((frame): frame is HostReply => 'id' in frame)
    const events = (): RunEvent[] =>
      // The contract's shape of this event.
      frames.flatMap((frame) =>
        'event' in frame && frame.event === 'run.events' ? (frame.payload as { events: RunEvent[] }).events : [],
      )
    const ask = (id: number, call: string, params: unknown): void =>
      connection.receive(JSON.stringify({ id, call, params }))
    return { connection, wire, frames, replies, events, ask }
  }

  async function startRun(body: string): Promise<RunId> {
    const { session, folders } = shared()
    const source = { kind: 'text', text: script('test', body) } as const
    return (await session.call('run.start', { workspace: folders.workspace, source })).runId
  }

  test('holds events back from a client that does not read, and gives it all of them later', async () => {
    const { session } = shared()
    const { wire, events, replies, ask } = connect()
    const runId = await startRun(`for (let i = 0; i < 200; i++) log('line ' + i)\nreturn await agent('x')`)
    wire.unsent = 5 * MIB
    ask(1, 'run.watch', { runId, fromSeq: 1 })
    await waitUntil('the watch is answered', () => replies().length === 1)
    const run = await watchRun(session, runId)
    await run.ended
    expect(events()).toEqual([])
    wire.unsent = 0
    await waitUntil('the last event', () => events().at(-1)?.type === 'run-ended')
    expect(events()).toEqual(run.events)
  })

  test('is ended when its client goes on asking and never reads', () => {
    const { wire, replies, ask } = connect()
    wire.unsent = 65 * MIB
    ask(1, 'host.status', {})
    expect([wire.ended, replies()]).toEqual(['the client does not read its answers', []])
  })

  test('answers at most 256 requests at once', async () => {
    const { replies, ask } = connect()
    for (let id = 0; id < 300; id++) ask(id, 'backends.list', {})
    await waitUntil('all answers', () => replies().length === 300)
    const refused = replies().filter((reply) => !reply.ok)
    expect(refused).toHaveLength(44)
    expect(refused[0]).toEqual({
      id: 256,
      ok: false,
      error: { code: 'BAD_REQUEST', message: 'More than 256 requests are open' },
    })
  })

  test('sends nothing once it has ended', async () => {
    const { connection, frames, ask } = connect()
    ask(1, 'backends.list', {})
    connection.end()
    ask(2, 'host.status', {})
    await shared().session.call('backends.list', {})
    expect(frames).toEqual([])
  })
})
