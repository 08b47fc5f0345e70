// The disk of the data folder is full: during a run and its resume, at the start, while a backup is made and a schema updated.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { followRun } from '../../src/cli/run/follow-run.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { openWritable } from '../../src/store/database/open-database.ts'
import { initial } from '../../src/store/migrations/0001-initial.ts'
import { bundleWorker } from '../support/engine/worker-files.ts'
import { awaitEnd } from '../support/host/counting.ts'
import { makeHost } from '../support/host/make-host.ts'
import { makeTempFolder } from '../support/host/temp-folder.ts'
import { waitUntil } from '../support/host/wait-until.ts'
import { watchRun } from '../support/host/watch-run.ts'
import { whyNoSmallDisk } from '../support/durability/mount-disk.ts'
import { mountSmallDisk } from '../support/durability/small-disk.ts'
import {
  checkFolder,
  executedPaths,
  letOn,
  makeGatedFolders,
  openGate,
  readAccounts,
  RESULT,
  wishOf,
} from '../support/durability/victims.ts'

vi.setConfig({ testTimeout: 60_000 })

const FULL = expect.stringContaining('the disk is full')
const why = whyNoSmallDisk()

describe.skipIf(why !== undefined)(`a full disk${why === undefined ? '' : ` (not tried: ${why})`}`, () => {
  test('interrupts a run and its resume in words, loses nothing that finished, and all goes on once there is space', async () => {
    const folders = await makeGatedFolders((dataDir) => mountSmallDisk(dataDir, 4))
    const { disk } = folders
    const { session, host } = await makeHost({ folders })
    const { runId } = await session.call('run.start', wishOf(folders))
    const watched = await watchRun(session, runId)
    letOn(folders, '/agent:0')
    await watched.until(({ calls, running }) => calls.completed === 1 && running === 5)
    disk.fill()
    const terminal = host.openSession({ kind: 'cli', workspace: folders.workspace })
    const told = followRun(terminal, runId, { onEvents: () => undefined })
    letOn(folders, '/parallel:0/branch:0/agent:0')
    await expect(told).rejects.toMatchObject({ message: FULL })
    await waitUntil('the end of the run', async () => (await session.call('host.status', {})).liveRuns === 0)
    const { row } = await session.call('run.get', { runId })
    expect(row).toMatchObject({ status: 'interrupted', error: FULL })
    // Everything but writing still answers.
    expect((await session.call('run.list', {})).runs).toEqual([row])
    expect((await session.call('run.events', { runId, fromSeq: 1, limit: 1 })).events).toHaveLength(1)
    await expect(session.call('run.start', wishOf(folders))).rejects.toMatchObject({ message: FULL })
    await expect(session.call('run.start', { resumeFromRunId: runId })).rejects.toMatchObject({ message: FULL })
    disk.free()
    await watched.ended
    const first = await readAccounts(session, runId)
    expect(first.state.cancelReason).toEqual(FULL)

    const { runId: second } = await session.call('run.start', { resumeFromRunId: runId })
    const resumed = await watchRun(session, second)
    letOn(folders, '/pipeline:0/item:0/agent:0')
    await resumed.until(({ calls }) => calls.completed >= 1)
    disk.fill()
    openGate(folders)
    await waitUntil('the end of the resume', async () => (await session.call('host.status', {})).liveRuns === 0)
    disk.free()
    await resumed.ended
    const earlier = [...first.finished, ...(await readAccounts(session, second)).finished]
    const before = executedPaths(folders).length
    const { runId: third } = await session.call('run.start', { resumeFromRunId: second })
    expect((await awaitEnd(session, third)).result).toEqual(RESULT)
    const again = executedPaths(folders).slice(before)
    expect(again.filter((path) => earlier.includes(path))).toEqual([])
    await readAccounts(session, third)
    await host.dispose('done')
    checkFolder(folders)
  })

  test('keeps a host from starting, in words, and not once there is space', async () => {
    const folders = await makeGatedFolders((dataDir) => mountSmallDisk(dataDir, 4))
    openGate(folders)
    folders.disk.fill()
    await expect(makeHost({ folders })).rejects.toThrow(/disk is full|no space left/i)
    folders.disk.free()
    const { session, host } = await makeHost({ folders })
    const { runId } = await session.call('run.start', wishOf(folders))
    expect((await awaitEnd(session, runId)).result).toEqual(RESULT)
    await host.dispose('done')
    checkFolder(folders)
  })

  test('fails a backup and an update of the schema without leaving anything of them', async () => {
    const folder = join(await makeTempFolder(), 'disk')
    const disk = mountSmallDisk(folder, 4)
    const file = join(folder, 'weft.db')
    openWritable({ file, busyTimeoutMs: 1000, migrations: [initial] }).close()
    const writerWorker = await bundleWorker('store/writer-worker.ts')
    const open = (): Promise<Store> => openStore({ file, writerWorker, onError: () => undefined })
    disk.fill()
    await expect(open()).rejects.toMatchObject({ message: FULL })
    disk.free()
    expect(readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual(['weft.db'])
    const store = await open()
    disk.fill()
    await expect(store.backup(join(folder, 'copy.db'))).rejects.toMatchObject({ code: 'DISK_FULL' })
    disk.free()
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual([])
    await store.backup(join(folder, 'copy.db'))
    expect(await store.checkIntegrity()).toMatchObject({ ok: true })
    await store.close()
  })
})
