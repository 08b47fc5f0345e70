import { describe, expect, onTestFinished, test } from 'vitest'
import { asRunId, type PendingApproval } from '../../src/shared/index.ts'
import type { HostSession } from '../../src/host/index.ts'
import { writeFileIn } from '../support/host/make-host.ts'
import { script } from '../support/host/scripts.ts'
import { waitUntil } from '../support/host/wait-until.ts'
import { connectMinimal, type Harness } from '../support/tools/harness.ts'
import { RpcClient } from '../support/tools/rpc-client.ts'
import { shareToolHost } from '../support/tools/tool-host.ts'

const fixture = shareToolHost()

async function connect(): Promise<Harness> {
  const socket = fixture().dial()
  onTestFinished(() => void socket.destroy())
  return connectMinimal(new RpcClient(socket, socket), 'codex', 'legacy', () => socket.destroy())
}

/** A window, while which is open harnesses' runs are asked about. */
function openWindow(): { window: HostSession; asked: PendingApproval[] } {
  const window = fixture().host.openSession({ kind: 'window', workspace: fixture().folders.workspace })
  onTestFinished(() => window.close())
  const asked: PendingApproval[] = []
  window.on('approval.asked', ({ approval }) => void asked.push(approval))
  return { window, asked }
}

const countRuns = async (): Promise<number> => (await fixture().session.call('run.list', {})).total

describe("leave for a harness's run", () => {
  test('is asked for once for a script, and again for an edited one', async () => {
    const { window, asked } = openWindow()
    const harness = await connect()
    const before = await countRuns()
    const heard: string[] = []
    const input = { script: script('asked', 'return 1'), args: { topic: 'locks' } }
    const call = harness.call('workflow', input, { onProgress: (message) => heard.push(message) })
    const approval = await waitUntil('it is asked', () => asked[0])
    expect(approval).toMatchObject({
      workflow: 'asked',
      clientName: 'codex',
      script: { text: input.script },
      args: { topic: 'locks' },
      nested: [],
      meta: { name: 'asked' },
    })
    expect(await countRuns()).toBe(before)
    expect((await window.call('approvals.list', {})).approvals).toEqual([approval])
    await waitUntil('it is said', () => heard.includes('waiting for approval in Weft'))
    await window.call('approvals.answer', { id: approval.id, answer: 'allow' })
    expect((await call).structured).toMatchObject({ runId: approval.runId, result: 1 })
    expect((await harness.call('workflow', input)).structured).toMatchObject({ result: 1 })
    expect(asked).toHaveLength(1)
    const edited = harness.call('workflow', { script: script('asked', 'return 2') })
    const second = await waitUntil('the edited one is asked', () => asked[1])
    expect(second).not.toHaveProperty('args')
    await window.call('approvals.answer', { id: second.id, answer: 'deny', reason: 'too\nmany agents' })
    expect((await edited).texts).toEqual([
      'Error: the user refused to run the workflow "asked" in Weft (too many agents): nothing was started',
    ])
    expect(await countRuns()).toBe(before + 2)
    const late = window.call('approvals.answer', { id: second.id, answer: 'allow' })
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('covers the workflows that the script names, as they were then', async () => {
    const { window, asked } = openWindow()
    const harness = await connect()
    const file = 'workflows/child.js'
    const { workspace } = fixture().folders
    await writeFileIn(workspace, file, script('child', 'return 1'))
    const input = { script: script('parent', `return await workflow('child')`) }
    const first = harness.call('workflow', input)
    const approval = await waitUntil('it is asked', () => asked[0])
    expect(approval.nested).toMatchObject([{ name: 'child', text: script('child', 'return 1') }])
    await writeFileIn(workspace, file, script('child', 'return 2'))
    await window.call('approvals.answer', { id: approval.id, answer: 'allow' })
    expect((await first).structured).toMatchObject({ result: 1 })
    const second = harness.call('workflow', input)
    const again = await waitUntil('the edited child is asked', () => asked[1])
    await window.call('approvals.answer', { id: again.id, answer: 'allow' })
    expect((await second).structured).toMatchObject({ result: 2 })
  })

  test('is asked for when a child turns up that nobody was asked about', async () => {
    const { window, asked } = openWindow()
    const harness = await connect()
    await writeFileIn(fixture().folders.workspace, 'workflows/late.js', script('late', 'return 5'))
    const body = `try { return await workflow('la' + 'te') } catch (error) { return error.message }`
    const call = harness.call('workflow', { script: script('dynamic', body) })
    const parent = await waitUntil('the parent is asked', () => asked[0])
    expect(parent.nested).toEqual([])
    await window.call('approvals.answer', { id: parent.id, answer: 'allow' })
    const child = await waitUntil('the child is asked', () => asked[1])
    expect(child).toMatchObject({ workflow: 'late', runId: parent.runId })
    await window.call('approvals.answer', { id: child.id, answer: 'deny' })
    expect((await call).structured?.['result']).toContain('the user refused to run the workflow "late"')
  })

  test('is for people to give: a harness neither sees nor answers', async () => {
    const { host, folders } = fixture()
    const { window, asked } = openWindow()
    const harness = await connect()
    const spy = host.openSession({ kind: 'harness', name: 'spy', workspace: folders.workspace })
    onTestFinished(() => spy.close())
    const told: unknown[] = []
    spy.on('approval.asked', (event) => void told.push(event))
    const call = harness.call('workflow', { script: script('guarded') })
    const { id } = await waitUntil('it is asked', () => asked[0])
    for (const attempt of [spy.call('approvals.list', {}), spy.call('approvals.answer', { id, answer: 'allow' })])
      await expect(attempt).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    expect(told).toEqual([])
    await window.call('approvals.answer', { id, answer: 'deny' })
    expect((await call).isError).toBe(true)
  })

  test('is no longer asked for when the call is cancelled or its connection gone', async () => {
    const { window, asked } = openWindow()
    const harness = await connect()
    const before = await countRuns()
    const abort = new AbortController()
    const call = harness.call('workflow', { script: script('cancelled') }, { signal: abort.signal })
    await waitUntil('it is asked', () => asked[0])
    abort.abort()
    await expect(call).rejects.toThrow('cancelled')
    const isOpen = async (): Promise<boolean> => (await window.call('approvals.list', {})).approvals.length > 0
    await waitUntil('nobody asks', async () => !(await isOpen()))
    harness.call('workflow', { script: script('left') }).catch(() => undefined)
    await waitUntil('it is asked', () => asked[1])
    await harness.close()
    await waitUntil('nobody asks', async () => !(await isOpen()))
    expect(await countRuns()).toBe(before)
  })

  test('may take longer than the call, which then says how to go on', async () => {
    const { window, asked } = openWindow()
    await fixture().writeSettings({ foregroundSeconds: 0.1 })
    const harness = await connect()
    const { structured } = await harness.call('workflow', { script: script('slow', 'return 3') })
    const { id, runId } = await waitUntil('it is asked', () => asked[0])
    expect(structured).toEqual({ runId, status: 'waiting', next: expect.stringContaining('workflow_wait') })
    await fixture().writeSettings({})
    expect((await harness.call('workflow_status', { runId })).structured).toMatchObject({ status: 'waiting' })
    const wait = harness.call('workflow_wait', { runId })
    await window.call('approvals.answer', { id, answer: 'allow' })
    expect((await wait).structured).toMatchObject({ runId: asRunId(runId), result: 3 })
  })

  test('follows the settings: denied always, allowed always, asked without a window too', async () => {
    const harness = await connect()
    const before = await countRuns()
    await fixture().writeSettings({ approval: 'deny' })
    const denied = await harness.call('workflow', { script: script('policy') })
    expect(denied.texts).toEqual([
      'Error: the settings of Weft let harnesses run nothing (approval: deny), so "policy" was not run: nothing was started',
    ])
    expect(await countRuns()).toBe(before)
    await fixture().writeSettings({ approval: 'ask', foregroundSeconds: 0.1 })
    const asked = await harness.call('workflow', { script: script('policy') })
    expect(asked.structured).toMatchObject({ status: 'waiting' })
    const { window } = openWindow()
    await fixture().writeSettings({ approval: 'allow' })
    expect((await harness.call('workflow', { script: script('policy', 'return 9') })).structured).toMatchObject({
      result: 9,
    })
    const { approvals } = await window.call('approvals.list', {})
    await Promise.all(approvals.map(({ id }) => window.call('approvals.answer', { id, answer: 'deny' })))
    await fixture().writeSettings({})
  })
})
