import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { connectHost, createHost, readOwner } from '../../src/host/index.ts'
import { asRunId, type RunId } from '../../src/shared/index.ts'
import {
  ECHO_AGENT,
  hostOptions,
  makeFolders,
  makeHost,
  useEchoAgent,
  writeFileIn,
  type Folders,
} from '../support/host/make-host.ts'
import { createLogKeeper } from '../support/host/quiet-logger.ts'
import { script } from '../support/host/scripts.ts'
import { waitUntil } from '../support/host/wait-until.ts'
import { watchRun } from '../support/host/watch-run.ts'
import { connectWeb, openDoor } from '../support/host/web-client.ts'

/** Ids of living echo agents whose environment names the run. */
async function findAgents(runId: RunId): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
      const [command, env] = await Promise.all([read('cmdline'), read('environ')])
      return command.includes(ECHO_AGENT) && env.includes(`WEFT_RUN_ID=${runId}`)
    }),
  )
  return pids.filter((_, index) => found[index])
}

async function makeEchoFolders(): Promise<Folders> {
  const folders = await makeFolders()
  await useEchoAgent(folders)
  return folders
}

const start = async ({ session, folders }: Awaited<ReturnType<typeof makeHost>>, body: string): Promise<RunId> => {
  const source = { kind: 'text', text: script('test', body) } as const
  return (await session.call('run.start', { workspace: folders.workspace, source })).runId
}

// Hosts, agents and workers are processes and threads that start slowly where many others run.
vi.setConfig({ testTimeout: 60_000 })

describe('a host', () => {
  test('keeps a data folder to itself and is named to whoever else wants it', async () => {
    const { folders } = await makeHost({ socket: true })
    const second = createHost(hostOptions(folders, createLogKeeper().logger))
    await expect(second).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`another Weft host (pid ${process.pid}, version 0.0.0-test, socket `),
    })
  })

  test.skipIf(process.platform === 'win32')('keeps its data to the user, whatever the umask', async () => {
    const before = process.umask(0)
    onTestFinished(() => void process.umask(before))
    const folders = await makeFolders()
    const { session, entries } = await makeHost({ folders, socket: true })
    await session.call('settings.set', { settings: {} })
    const modeOf = async (name: string) => ((await stat(join(folders.dataDir, name))).mode & 0o777).toString(8)
    expect(await modeOf('.')).toBe('700')
    expect(entries).toContainEqual(
      expect.objectContaining({ level: 'info', message: expect.stringContaining('now it is yours alone') }),
    )
    const files = await readdir(folders.dataDir)
    expect(files).toEqual(
      expect.arrayContaining(['lock.db', 'owner.json', 'settings.json', 'token', 'weft.db', 'weft.db-wal']),
    )
    expect(await Promise.all(files.map(async (name) => [name, await modeOf(name)]))).toEqual(
      files.map((name) => [name, '600']),
    )
  })

  test.skipIf(process.platform === 'win32')(
    'warns of a data folder that others may look into, and that is not only its own',
    async () => {
      const folders = await makeFolders()
      await writeFileIn(folders.dataDir, 'photos.txt', '')
      await chmod(folders.dataDir, 0o755)
      const { entries } = await makeHost({ folders })
      expect(entries).toContainEqual(
        expect.objectContaining({ level: 'warn', message: expect.stringContaining('(photos.txt)') }),
      )
    },
  )

  test('finds after a restart what it did before', async () => {
    const folders = await makeEchoFolders()
    const first = await makeHost({ folders })
    const runId = await start(first, `return await agent('hello')`)
    const run = await watchRun(first.session, runId)
    await run.ended
    const before = await first.session.call('run.get', { runId })
    await first.host.dispose('restart')
    const { session } = await makeHost({ folders })
    expect(await session.call('run.get', { runId })).toEqual(before)
    const again = await watchRun(session, runId)
    await again.ended
    expect(again.events).toEqual(run.events)
    expect(await session.call('run.result', { runId })).toEqual({ settled: true, json: '"hello!"' })
  })

  test('that was killed leaves interrupted runs to the next one, and no agent', async () => {
    const folders = await makeEchoFolders()
    const text = script('test', `await agent('first')\nreturn await agent('HANG')`)
    const child = spawn(
      process.execPath,
      [new URL('../support/host/host-process.ts', import.meta.url).pathname, JSON.stringify(folders), text],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    const runId = await waitUntil(
      'the second agent is running',
      async () => {
        if (output.split('\n').length < 3) return undefined
        // The process prints exactly this.
        const told = JSON.parse(output.split('\n')[0] ?? '') as { runId: string }
        return asRunId(told.runId)
      },
      50_000,
    )
    expect(await findAgents(runId)).toHaveLength(1)
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    const { session, entries } = await makeHost({ folders })
    const { row } = await session.call('run.get', { runId })
    expect(row).toMatchObject({ status: 'interrupted', endedAt: expect.any(Number), calls: { completed: 1 } })
    expect(entries.map(({ message }) => message)).toContainEqual(expect.stringContaining(runId))
    expect(await session.call('run.list', { status: ['running'] })).toEqual({ runs: [], total: 0, pinned: [] })
    await waitUntil('the agent of the dead host is gone', async () => (await findAgents(runId)).length === 0)
  })

  test('ends its runs and their agents before it ends, and tells those who watch', async () => {
    const made = await makeHost({ folders: await makeEchoFolders(), socket: true })
    const runId = await start(made, `return await agent('HANG')`)
    const run = await watchRun(made.session, runId)
    await run.until((state) => state.running === 1)
    const quiet = made.host.whenQuiet()
    const remote = await connectHost(made.folders.dataDir, { kind: 'cli', workspace: made.folders.workspace })
    const remoteRun = await watchRun(remote, runId)
    const ended = made.host.dispose('the app was closed')
    await Promise.all([ended, made.host.dispose('again'), quiet])
    expect(await run.ended).toMatchObject({ status: 'cancelled', cancelReason: 'the app was closed' })
    await remote.closed
    expect(remoteRun.events).toEqual(run.events)
    expect(await findAgents(runId)).toEqual([])
    expect(readOwner(made.folders.dataDir)).toBeUndefined()
    await expect(made.session.call('host.status', {})).rejects.toMatchObject({ code: 'CLOSED' })
    expect(() => made.host.openSession({ kind: 'test', workspace: '/' })).toThrow('The host is ending')
  })

  test('is quiet when its last run has settled', async () => {
    const made = await makeHost({ folders: await makeEchoFolders() })
    await made.host.whenQuiet()
    const runId = await start(made, `return await agent('WAIT:50')`)
    expect((await made.session.call('host.status', {})).liveRuns).toBe(1)
    await made.host.whenQuiet()
    expect((await made.session.call('run.result', { runId })).settled).toBe(true)
    expect(await made.session.call('host.status', {})).toMatchObject({ liveRuns: 0, runningAgents: 0 })
  })

  test('lets a run be started and watched through its socket', async () => {
    const made = await makeHost({ folders: await makeEchoFolders(), socket: true })
    const { dataDir, workspace } = made.folders
    const remote = await connectHost(dataDir, { kind: 'cli', workspace })
    onTestFinished(() => remote.close())
    const source = { kind: 'text', text: script('remote', `return await agent('ü🦊')`) } as const
    const { runId } = await remote.call('run.start', { workspace, source })
    const run = await watchRun(remote, runId)
    expect((await run.ended).info?.startedBy).toEqual({ kind: 'cli' })
    expect((await remote.call('run.result', { runId })).json).toBe('"ü🦊!"')
    expect((await made.session.call('run.get', { runId })).row).toEqual((await remote.call('run.get', { runId })).row)
  })

  test('lets a run be watched through a WebSocket, event by event as it is stored', async () => {
    const made = await makeHost({ folders: await makeEchoFolders() })
    const client = await connectWeb(await openDoor(made.host, made.folders))
    const body = `return await parallel(Array.from({ length: 8 }, (_, i) => () => agent('n' + i)))`
    const source = { kind: 'text', text: script('web', body) }
    const started = await client.request('run.start', { workspace: made.folders.workspace, source })
    const { runId } = started.ok ? (started.value as { runId: RunId }) : expect.unreachable()
    const watched = await client.request('run.watch', { runId, fromSeq: 1 })
    expect(watched.ok).toBe(true)
    const seen: unknown[] = []
    for (let ended = false; !ended;) {
      // Frames come one after the other.
      // oxlint-disable-next-line no-await-in-loop
      const frame = await client.next()
      if (!('event' in frame) || frame.event !== 'run.events') continue
      // The contract's shape of this event.
      const { events } = frame.payload as { events: { type: string }[] }
      seen.push(...events)
      ended = events.some(({ type }) => type === 'run-ended')
    }
    const stored = await made.session.call('run.events', { runId, fromSeq: 1, limit: 10_000 })
    expect(seen).toEqual(stored.events)
  })
})
