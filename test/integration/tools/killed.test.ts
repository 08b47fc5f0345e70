// `kill -9` of the bridge or of the host while a harness is at any point of its work: nobody waits for ever, runs are kept,
// nothing is left.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectHost } from '../../../src/host/index.ts'
import { asRunId, type HostClient, type RunRow } from '../../../src/shared/index.ts'
import { processesWith } from '../../support/app/processes.ts'
import type { Folders } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { removeFolder } from '../../support/host/temp-folder.ts'
import { waitUntil } from '../../support/host/wait-until.ts'
import { endHost, hostPid, startBridge, type Bridge } from '../../support/tools/bridges.ts'
import { makeToolFolders, writeToolSettings } from '../../support/tools/tool-host.ts'

let folders: Folders
beforeAll(async () => {
  folders = await makeToolFolders()
})
afterAll(async () => {
  await endHost(folders)
  await removeFolder(folders.root)
})

async function open(): Promise<Bridge> {
  const bridge = startBridge(folders)
  onTestFinished(() => void bridge.process.kill('SIGKILL'))
  await bridge.rpc.initialize('codex')
  return bridge
}

const callOf = (name: string, input: object = {}) => ({ name, arguments: input })
const list = callOf('workflow_list')

async function asUser<Answer>(ask: (client: HostClient) => Promise<Answer>): Promise<Answer> {
  const client = await connectHost(folders.dataDir, { kind: 'test', workspace: folders.workspace }, { waitMs: 15_000 })
  try {
    return await ask(client)
  } finally {
    client.close()
  }
}

const rowOf = (runId: string): Promise<RunRow> =>
  asUser(async (client) => (await client.call('run.get', { runId: asRunId(runId) })).row)

/** A run in the background whose agent never ends. */
async function startHanging({ rpc }: Bridge): Promise<string> {
  const input = { script: script('hanging', `await agent('a')\nreturn await agent('HANG')`), background: true }
  const { structuredContent } = await rpc.request('tools/call', callOf('workflow', input))
  const { runId } = structuredContent as { runId: string }
  await waitUntil('its second agent works', async () => (await rowOf(runId)).agents === 2 && processesWith(runId)[0])
  return runId
}

/** The host that the bridge starts in the place of a dead one. */
const followerOf = (dead: number): Promise<number> =>
  waitUntil('another host listens', async () => {
    const pid = await hostPid(folders)
    return pid !== dead && pid
  })

describe('a host that is killed', () => {
  test('before the handshake is followed by another that shakes hands', async () => {
    await writeToolSettings(folders, {})
    const bridge = startBridge(folders)
    onTestFinished(() => void bridge.process.kill('SIGKILL'))
    const first = await hostPid(folders)
    process.kill(first, 'SIGKILL')
    await bridge.rpc.initialize('codex')
    expect(await followerOf(first)).not.toBe(first)
    expect(await bridge.rpc.request('tools/call', list)).toMatchObject({ content: [{ type: 'text' }] })
  })

  test('while it is waited for ends the wait in words, and its agents; the run is resumable', async () => {
    const bridge = await open()
    const runId = await startHanging(bridge)
    const wait = bridge.rpc.ask('tools/call', callOf('workflow_wait', { runId, seconds: 40 }))
    // What comes after it on the line is answered: so the wait is under way.
    await bridge.rpc.request('tools/call', list)
    const killed = await hostPid(folders)
    process.kill(killed, 'SIGKILL')
    expect((await bridge.rpc.answer(wait)).error).toMatchObject({ code: -32000 })
    await followerOf(killed)
    await waitUntil('no agent is left', () => processesWith(runId).length === 0)
    expect(await rowOf(runId)).toMatchObject({ status: 'interrupted' })
    const resumable = await asUser((client) => client.call('run.resumable', { workspace: folders.workspace }))
    expect(resumable.runs.map((run) => run.runId)).toContain(runId)
  })

  test('while leave is asked for refuses the call in words, and nothing was started', async () => {
    await writeToolSettings(folders, { approval: 'ask' })
    onTestFinished(() => writeToolSettings(folders, {}))
    const bridge = await open()
    const asked = bridge.rpc.ask('tools/call', callOf('workflow', { script: script('unasked-host', 'return 1') }))
    await waitUntil('leave is asked for', () =>
      asUser(async (client) => (await client.call('approvals.list', {})).approvals.length === 1),
    )
    const killed = await hostPid(folders)
    process.kill(killed, 'SIGKILL')
    expect((await bridge.rpc.answer(asked)).error).toMatchObject({ code: -32000 })
    await followerOf(killed)
    const { runs } = await asUser((client) => client.call('run.list', { workspace: folders.workspace }))
    expect(runs.filter(({ workflow }) => workflow === 'unasked-host')).toEqual([])
  })
})

describe('a bridge that is killed', () => {
  test('while a run is waited for leaves it going, with its agent', async () => {
    const bridge = await open()
    const runId = await startHanging(bridge)
    bridge.rpc.ask('tools/call', callOf('workflow_wait', { runId, seconds: 40 }))
    await bridge.rpc.request('tools/call', list)
    bridge.process.kill('SIGKILL')
    await bridge.exited
    expect(await rowOf(runId)).toMatchObject({ status: 'running' })
    expect(processesWith(runId)).not.toEqual([])
    await asUser((client) => client.call('run.cancel', { runId: asRunId(runId) }))
    await waitUntil('it is over', async () => (await rowOf(runId)).status === 'cancelled')
    await waitUntil('no agent is left', () => processesWith(runId).length === 0)
  })

  test('while leave is asked for takes its wish with it', async () => {
    await writeToolSettings(folders, { approval: 'ask' })
    onTestFinished(() => writeToolSettings(folders, {}))
    const bridge = await open()
    const pending = () => asUser(async (client) => (await client.call('approvals.list', {})).approvals.length)
    bridge.rpc.ask('tools/call', callOf('workflow', { script: script('unasked-bridge', 'return 1') }))
    await waitUntil('leave is asked for', async () => (await pending()) === 1)
    bridge.process.kill('SIGKILL')
    await waitUntil('nobody asks any more', async () => (await pending()) === 0)
    const { runs } = await asUser((client) => client.call('run.list', { workspace: folders.workspace }))
    expect(runs.filter(({ workflow }) => workflow === 'unasked-bridge')).toEqual([])
  })
})
