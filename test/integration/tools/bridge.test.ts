import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectHost, readOwner } from '../../../src/host/index.ts'
import { dialTools as askOlderHost } from '../../../src/host/socket/dial-tools.ts'
import { asRunId } from '../../../src/shared/index.ts'
import { writeFileIn, type Folders } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { removeFolder } from '../../support/host/temp-folder.ts'
import { waitUntil } from '../../support/host/wait-until.ts'
import {
  bridgeCommand,
  bridgeEnv,
  endHost,
  hostPid,
  isAlive,
  startBridge,
  startHeadless,
  type Bridge,
} from '../../support/tools/bridges.ts'
import { describeHarness, type HarnessWorld } from '../../support/tools/describe-harness.ts'
import { connectMinimal, connectSdk, type Harness } from '../../support/tools/harness.ts'
import { RpcClient } from '../../support/tools/rpc-client.ts'
import { dialTools, makeToolFolders, writeToolSettings } from '../../support/tools/tool-host.ts'

let folders: Folders
beforeAll(async () => {
  folders = await makeToolFolders()
  await writeToolSettings(folders, {})
  const saved = `export const meta = { name: 'saved', description: 'a saved one' }\nreturn args.n\n`
  await writeFileIn(folders.workspace, 'workflows/saved.js', saved)
})
afterAll(async () => {
  await endHost(folders)
  await removeFolder(folders.root)
})

async function statusOf(runId: string): Promise<string> {
  const client = await connectHost(folders.dataDir, { kind: 'test', workspace: folders.workspace }, { waitMs: 15_000 })
  try {
    return (await client.call('run.get', { runId: asRunId(runId) })).row.status
  } finally {
    client.close()
  }
}

function open(): Bridge {
  const bridge = startBridge(folders)
  onTestFinished(() => void bridge.process.kill('SIGKILL'))
  return bridge
}

const hang = { name: 'workflow', arguments: { script: script('test', `await agent('a')\nreturn await agent('HANG')`) } }

/** The run of the call once its second agent is at work, so that there is something to replay. */
async function runningCall({ rpc }: Bridge): Promise<{ call: string | number; runId: string }> {
  const call = rpc.ask('tools/call', hang)
  const runId = await waitUntil('the second agent runs', async () => {
    const { structuredContent } = await rpc.request('tools/call', { name: 'workflow_status' })
    const { runs } = structuredContent as { runs: { runId: string; status: string; agents: number }[] } // newest first
    return runs[0]?.status === 'running' && runs[0].agents === 2 && runs[0].runId
  })
  return { call, runId }
}

describe('the bridge', () => {
  test('answers before there is a host, starts one that outlives it, and ends with its client', async () => {
    const bridge = open()
    const { rpc } = bridge
    await rpc.initialize('codex')
    const { tools } = await rpc.request('tools/list')
    expect(tools).toHaveLength(11)
    expect(readOwner(folders.dataDir)?.socket ?? null).toBeNull()
    const { structuredContent } = await rpc.request('tools/call', {
      name: 'workflow',
      arguments: { script: script('test', `return await agent('hi')`) },
    })
    expect(structuredContent).toMatchObject({ result: 'hi!' })
    bridge.process.stdin?.end()
    expect(await bridge.exited).toBe(0)
    expect(isAlive(await hostPid(folders))).toBe(true)
  })

  test('says what the host would have said', async () => {
    const { rpc } = open()
    const said = [await rpc.initialize('codex'), await rpc.request('tools/list')]
    const socket = dialTools(folders)
    onTestFinished(() => void socket.destroy())
    const direct = new RpcClient(socket, socket)
    expect([await direct.initialize('codex'), await direct.request('tools/list')]).toEqual(said)
  })

  test('shares one host with others, whose runs stay apart', async () => {
    const [first, second] = [open(), open()]
    await Promise.all([first.rpc.initialize('codex'), second.rpc.initialize('opencode')])
    const { runId } = await runningCall(first)
    const { isError } = await second.rpc.request('tools/call', { name: 'workflow_status', arguments: { runId } })
    expect(isError).toBe(true)
    await first.rpc.request('tools/call', { name: 'workflow_cancel', arguments: { runId } })
  })

  test('that is killed leaves its run going and resumable', async () => {
    const bridge = open()
    await bridge.rpc.initialize('killed')
    const { runId } = await runningCall(bridge)
    bridge.process.kill('SIGKILL')
    await bridge.exited
    expect(await statusOf(runId)).toBe('running')
    const next = open()
    await next.rpc.initialize('killed')
    const cancel = { name: 'workflow_cancel', arguments: { runId } }
    await waitUntil(
      'the next session has it',
      async () => (await next.rpc.request('tools/call', cancel))['isError'] !== true,
    )
    expect(await statusOf(runId)).toBe('cancelled')
  })

  test('tells of a host that was killed, gets another one, and goes on from the run', async () => {
    const bridge = open()
    const { rpc } = bridge
    await rpc.initialize('survivor')
    const { call, runId } = await runningCall(bridge)
    const pid = await hostPid(folders)
    process.kill(pid, 'SIGKILL')
    const { error } = await rpc.answer(call)
    expect(error).toMatchObject({ code: -32000, message: expect.stringContaining('The Weft host has ended') })
    const { structuredContent } = await rpc.request('tools/call', { name: 'workflow_status', arguments: { runId } })
    expect(structuredContent).toMatchObject({ runId, status: 'interrupted' })
    expect(await hostPid(folders)).not.toBe(pid)
    const resumed = await rpc.request('tools/call', {
      name: 'workflow',
      arguments: { script: script('test', `return await agent('a')`), resumeFromRunId: runId },
    })
    expect(resumed['structuredContent']).toMatchObject({ agentsStarted: 0, result: 'a!' })
  })

  test('takes frames that are none without a word to anyone but their sender', async () => {
    const bridge = open()
    const { rpc } = bridge
    await rpc.initialize('noisy')
    rpc.write('garbage\n{"jsonrpc":"2.0","id":0,"method":"ping"}\n{"jsonrpc":"2.0","id":"","method":"ping"}\n')
    await rpc.answer('')
    expect(rpc.received.slice(1)).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 0, result: {} },
      { id: '', result: {} },
    ])
    // 17 MiB, whose end comes: refused. 80 MiB without one: nothing more can be told apart, so it ends, and keeps little of it.
    const megabyte = Buffer.alloc(1024 * 1024, 'x')
    const before = memoryOf(bridge)
    for (let n = 0; n < 17; n++) rpc.write(megabyte.toString())
    rpc.write('\n')
    rpc.write(`{"jsonrpc":"2.0","id":"after","method":"ping"}\n`)
    await rpc.answer('after')
    expect(rpc.received.at(-2)).toMatchObject({ id: null, error: { code: -32600 } })
    expect(memoryOf(bridge) - before).toBeLessThan(100)
    for (let n = 0; n < 80; n++) bridge.process.stdin?.write(megabyte, () => undefined)
    expect(await bridge.exited).toBe(0)
    expect(bridge.said()).toContain('a frame of the client has no end')
  })
})

/** Resident, in megabytes. */
function memoryOf({ process: child }: Bridge): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

describe('a headless host', () => {
  test('ends when nobody has needed it for a while', async () => {
    const own = await makeToolFolders()
    await writeToolSettings(own, {})
    onTestFinished(() => removeFolder(own.root))
    const host = startHeadless(own, bridgeEnv(own), 1)
    const exited = once(host, 'exit')
    await hostPid(own)
    const bridge = startBridge(own)
    await bridge.rpc.initialize('codex')
    const input = { name: 'workflow_list', arguments: {} }
    expect(await bridge.rpc.request('tools/call', input)).toMatchObject({ content: [{ type: 'text' }] })
    expect((await hostPid(own)) === host.pid).toBe(true)
    bridge.process.stdin?.end()
    expect(await exited).toEqual([0, null])
  })
})

describe('a headless host that is older than who comes', () => {
  test('gives way at once where nothing runs, else when its runs are over; its clients go on with the next', async () => {
    const own = await makeToolFolders()
    await writeToolSettings(own, {})
    onTestFinished(async () => {
      await endHost(own)
      await removeFolder(own.root)
    })
    const newer = () => askOlderHost(own.dataDir, { workspace: own.workspace }, '99.0.0')
    const bridge = startBridge(own)
    onTestFinished(() => void bridge.process.kill('SIGKILL'))
    await bridge.rpc.initialize('codex')
    const { runId } = await runningCall(bridge)
    const first = await hostPid(own)
    // Its run is not cut off.
    const socket = await newer()
    socket.destroy()
    expect(isAlive(first)).toBe(true)
    const again = await askOlderHost(own.dataDir, { workspace: own.workspace }, '0.0.1')
    again.destroy()
    await bridge.rpc.request('tools/call', { name: 'workflow_cancel', arguments: { runId } }).catch(() => undefined)
    await waitUntil('the older host has gone', () => !isAlive(first))
    const list = { name: 'workflow_list', arguments: {} }
    await waitUntil('the client goes on', async () =>
      bridge.rpc.request('tools/call', list).then(
        () => true,
        () => false,
      ),
    )
    const second = await hostPid(own)
    expect(second).not.toBe(first)
    await expect(newer()).rejects.toThrow('has given way')
    await waitUntil('that one has gone, too', () => !isAlive(second))
  })
})

const suite =
  (connect: (name: string) => Promise<Harness>): (() => HarnessWorld) =>
  () => ({ connect, writeSettings: (settings) => writeToolSettings(folders, settings), statusOf })

describeHarness(
  "the SDK's client over the bridge",
  suite((name) => {
    const transport = new StdioClientTransport({ ...bridgeCommand(folders), env: bridgeEnv(folders), stderr: 'ignore' })
    return connectSdk(transport, name, 'legacy')
  }),
)
describeHarness(
  'a minimal client of 2026 over the bridge',
  suite((name) => {
    const { rpc, process: child } = startBridge(folders)
    return connectMinimal(rpc, name, 'modern', () => void child.stdin?.end())
  }),
)
