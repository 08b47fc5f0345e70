import Database from 'better-sqlite3'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asRunId } from '../../src/shared/index.ts'
import { writeFileIn } from '../support/host/make-host.ts'
import { script } from '../support/host/scripts.ts'
import { waitUntil } from '../support/host/wait-until.ts'
import { connectMinimal, type Harness } from '../support/tools/harness.ts'
import { RpcClient } from '../support/tools/rpc-client.ts'
import { shareToolHost } from '../support/tools/tool-host.ts'

const fixture = shareToolHost()

interface Connected {
  harness: Harness
  rpc: RpcClient
  socket: Socket
}

async function connect(name: string, client: object = {}): Promise<Connected> {
  const socket = fixture().dial(client)
  onTestFinished(() => void socket.destroy())
  const rpc = new RpcClient(socket, socket)
  return { harness: await connectMinimal(rpc, name, 'legacy', () => socket.destroy()), rpc, socket }
}

const text = (body: string): { script: string } => ({ script: script('test', body) })
const status = async (runId: unknown): Promise<string> => {
  const { row } = await fixture().session.call('run.get', { runId: asRunId(String(runId)) })
  return row.status
}

async function startHanging({ harness }: Connected): Promise<string> {
  const { structured } = await harness.call('workflow', { ...text(`return await agent('HANG')`), background: true })
  return String(structured?.['runId'])
}

const sees = async ({ harness }: Connected, runId: string): Promise<boolean> =>
  !(await harness.call('workflow_status', { runId })).isError

describe('a session of a harness', () => {
  test('leaves its runs going when its connection closes, for later sessions of the same name and place', async () => {
    const first = await connect('codex')
    const runId = await startHanging(first)
    const beside = await connect('codex')
    expect(await sees(beside, runId)).toBe(false)
    await first.harness.close()
    await waitUntil('the run is handed on', () => sees(beside, runId))
    expect(await status(runId)).toBe('running')
    const elsewhere = await connect('codex', { workspace: fixture().folders.home })
    const other = await connect('opencode')
    expect([await sees(elsewhere, runId), await sees(other, runId)]).toEqual([false, false])
    await beside.harness.call('workflow_cancel', { runId })
    expect(await status(runId)).toBe('cancelled')
  })

  test('is shown to the user with its name, its calls and no secret, until it leaves', async () => {
    const { session, host } = fixture()
    const watcher = host.openSession({ kind: 'window', workspace: fixture().folders.workspace })
    onTestFinished(() => watcher.close())
    const secret = 'another-secret-of-the-bridge'
    const connected = await connect('goose-of-the-user', { session: secret })
    const shown = async () =>
      (await session.call('host.status', {})).harnesses?.filter(({ name }) => name === 'goose-of-the-user')
    await waitUntil('it is shown', async () => (await shown())?.length === 1)
    await connected.harness.call('workflow_list', {})
    await connected.harness.call('workflow_status', {})
    const [harness] = (await shown()) ?? []
    expect(harness).toMatchObject({ version: '1', workspace: fixture().folders.workspace, calls: 2 })
    expect(Math.abs(Date.now() - (harness?.since ?? 0))).toBeLessThan(60_000)
    expect(JSON.stringify(harness)).not.toContain(secret)
    const told = new Promise<boolean>((gone) => {
      watcher.on('host.status', ({ harnesses }) => {
        if (harnesses?.every(({ name }) => name !== 'goose-of-the-user') === true) gone(true)
      })
    })
    await connected.harness.close()
    expect(await told).toBe(true)
  })

  test('is the same one when it comes again with its secret', async () => {
    const session = 'a-secret-of-the-bridge'
    const first = await connect('codex', { session })
    const runId = await startHanging(first)
    const again = await connect('codex', { session })
    expect(await sees(again, runId)).toBe(true)
    await first.harness.close()
    const beside = await connect('codex')
    expect(await sees(beside, runId)).toBe(false)
    await again.harness.call('workflow_cancel', { runId })
  })

  test('has its runs cancelled with it where the settings say so', async () => {
    await fixture().writeSettings({ onDisconnect: 'cancel' })
    const gone = await connect('codex')
    const runId = await startHanging(gone)
    gone.socket.destroy()
    await waitUntil('the run is cancelled', async () => (await status(runId)) === 'cancelled')
    await fixture().writeSettings({})
  })

  test('gains nothing by a name that is not its own', async () => {
    const forged = await connect('Weft window')
    const runId = await startHanging(forged)
    const { row } = await fixture().session.call('run.get', { runId: asRunId(runId) })
    expect(row.startedBy).toEqual({ kind: 'harness', name: 'Weft window' })
    const mine = await fixture().session.call('run.start', {
      workspace: fixture().folders.workspace,
      source: { kind: 'text', text: script('mine') },
    })
    expect(await sees(forged, mine.runId)).toBe(false)
    await forged.harness.call('workflow_cancel', { runId })
  })

  test('sees the runs of all harnesses where the settings say so, and of nobody else', async () => {
    const owner = await connect('codex')
    const runId = await startHanging(owner)
    const other = await connect('opencode')
    await fixture().writeSettings({ harness: { sharedRuns: true } })
    expect(await sees(other, runId)).toBe(true)
    await fixture().writeSettings({})
    expect(await sees(other, runId)).toBe(false)
    await owner.harness.call('workflow_cancel', { runId })
  })

  test('of an agent that a run started can start nothing', async () => {
    const { harness } = await connect('codex', { depth: 1 })
    const { tools } = await harness.ask('tools/list')
    const names = (tools as { name: string }[]).map(({ name }) => name) // the protocol's shape
    expect(names).not.toContain('workflow')
    expect(names).not.toContain('workflow_dry_run')
    expect((await harness.call('workflow', text('return 1'))).texts).toEqual([
      "Error: workflow can't be used by an agent that a workflow started (depth 1): do the work yourself, or leave it to the workflow",
    ])
  })

  test('is told that its kind of agent is not there', async () => {
    const { harness } = await connect('codex-mcp-client')
    expect((await harness.call('workflow', { ...text('return 1'), backend: 'harness' })).texts).toEqual([
      'Error: workflow tool requires a calling agent (codex-mcp-client has no agent back end configured)',
    ])
  })

  test('may only lower the limits of the settings', async () => {
    const { harness } = await connect('codex')
    await fixture().writeSettings({ harness: { maxAgents: 2, budgetTokens: 1000, backends: ['echo'] } })
    const more = await harness.call('workflow', { ...text('return 1'), maxAgents: 3, budgetTokens: 2000 })
    expect(more.texts[0]?.split('\n')).toEqual([
      'Error: budgetTokens may be at most 1000, as the settings of Weft say, not 2000',
      'maxAgents may be at most 2, as the settings of Weft say, not 3',
    ])
    const other = await harness.call('workflow', { ...text('return 1'), backend: 'simulated' })
    expect(other.texts[0]).toContain('backend may be echo')
    const many = await harness.call('workflow', text(`for (let n = 0; n < 3; n++) await agent('a' + n)\nreturn 1`))
    expect(many.texts[0]).toContain('Error: workflow run failed: ')
    const few = await harness.call('workflow', text('return budget.total'))
    expect(few.structured).toMatchObject({ result: 1000 })
    await fixture().writeSettings({})
  })

  test('calls the tool as the settings name it', async () => {
    await fixture().writeSettings({ toolName: 'weft' })
    const { harness } = await connect('codex')
    expect(harness.instructions()).toMatch(/^Use the weft tool ONLY when/)
    expect((await harness.call('weft', text('return 1'))).isError).toBe(false)
    await expect(harness.call('workflow', text('return 1'))).rejects.toThrow('-32602')
    await fixture().writeSettings({})
  })

  test('hears of changes of what it subscribed to, until it no longer wants to', async () => {
    const { harness, rpc } = await connect('codex')
    const { structured } = await harness.call('workflow', {
      ...text(`return await agent('WAIT:300')`),
      background: true,
    })
    const uri = `workflow://runs/${String(structured?.['runId'])}/result`
    await rpc.request('resources/subscribe', { uri })
    const isNews = ({ method, params }: { method?: string; params?: object }): boolean =>
      method === 'notifications/resources/updated' && JSON.stringify(params).includes(uri)
    await rpc.find(isNews)
    const { contents } = await harness.ask('resources/read', { uri })
    expect(contents).toMatchObject([{ text: '"WAIT:300!"' }])
    await expect(rpc.request('resources/subscribe', { uri: 'workflow://runs/nothing' })).rejects.toThrow()
  })

  test('leaves a record of its run, nested calls under their parent', async () => {
    const { workspace, dataDir } = fixture().folders
    await writeFileIn(workspace, 'workflows/inner.js', script('inner', `return await agent('deep')`))
    const { harness } = await connect('codex', { session: 'a-session-with-a-record' })
    const { structured } = await harness.call('workflow', text(`await agent('flat')\nreturn await workflow('inner')`))
    const db = new Database(join(dataDir, 'weft.db'), { readonly: true })
    onTestFinished(() => void db.close())
    const select = db.prepare('SELECT session, data FROM harness_records WHERE run_id = ? ORDER BY seq')
    const rows = await waitUntil('the end is recorded', () => {
      // What the statement selects.
      const found = select.all(structured?.['runId']) as { session: string; data: string }[]
      return found.length === 6 && found
    })
    expect(new Set(rows.map(({ session }) => session))).toEqual(new Set(['a-session-with-a-record']))
    expect(rows.map(({ data }): unknown => JSON.parse(data))).toMatchObject([
      { fact: 'run-start', workflow: 'test', clientName: 'codex' },
      { fact: 'member-start', member: 1, label: 'flat', under: null },
      { fact: 'member-end', member: 1, outcome: 'completed' },
      { fact: 'member-start', member: 2, label: 'deep', under: 'inner' },
      { fact: 'member-end', member: 2, outcome: 'completed' },
      { fact: 'run-end', outcome: 'completed' },
    ])
  })

  test('takes args in whatever form they come', async () => {
    const { harness } = await connect('codex')
    const input = text('return [typeof args, args]')
    const forms = [{ a: 1 }, '{"a":1}', [1], 7, null]
    const results = await Promise.all(
      forms.map(async (args) => (await harness.call('workflow', { ...input, args })).structured?.['result']),
    )
    expect(results).toEqual([
      ['object', { a: 1 }],
      ['object', { a: 1 }],
      ['object', [1]],
      ['number', 7],
      ['object', null],
    ])
  })
})
