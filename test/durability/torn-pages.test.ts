// Pages of the database and of its log are torn, as by a power cut or a dying disk, with real runs in them.

import { cpSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, afterAll, describe, expect, test, vi } from 'vitest'
import { openSoundStore } from '../../src/host/open-sound-store.ts'
import type { RunId } from '../../src/shared/index.ts'
import { bundleWorker } from '../support/engine/worker-files.ts'
import { runToEnd } from '../support/host/counting.ts'
import { makeHost } from '../support/host/make-host.ts'
import { createLogKeeper, type LogEntry } from '../support/host/quiet-logger.ts'
import { createTempFolder, makeTempFolder, removeFolder } from '../support/host/temp-folder.ts'
import {
  makeGatedFolders,
  mapFew,
  openGate,
  RESULT,
  runInVictim,
  wishOf,
  CALLS,
  nothingRuns,
} from '../support/durability/victims.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const PAGE = 4096
/** A database with two runs, as one host ended it and as another was killed with it: that one has a log. */
let samples = ''
let runs: RunId[] = []

beforeAll(async () => {
  samples = await createTempFolder()
})
afterAll(() => removeFolder(samples))

async function makeSamples(): Promise<void> {
  if (runs.length > 0) return
  const folders = await makeGatedFolders()
  const killed = await runInVictim(folders, wishOf(folders), { results: 9, at: 'usage', seed: 5 })
  await nothingRuns(folders)
  openGate(folders)
  cpSync(folders.dataDir, join(samples, 'killed'), { recursive: true })
  const { host, session } = await makeHost({ folders })
  const { runId } = await runToEnd(session, { resumeFromRunId: killed })
  await host.dispose('done')
  cpSync(folders.dataDir, join(samples, 'closed'), { recursive: true })
  runs = [killed, runId]
}

interface Found {
  /** What a folder's store has after it was opened. */
  runs: { runId: RunId; status: string; replayable: number }[]
  told: string[]
  kept: Buffer[]
  checked: boolean
}

async function copyOf(sample: 'killed' | 'closed'): Promise<string> {
  await makeSamples()
  const folder = join(await makeTempFolder(), 'data')
  cpSync(join(samples, sample), folder, { recursive: true })
  return folder
}

async function openTorn(folder: string): Promise<Found> {
  const { logger, entries } = createLogKeeper()
  const file = join(folder, 'weft.db')
  const store = await openSoundStore({ file, writerWorker: await bundleWorker('store/writer-worker.ts'), logger })
  const { damaged } = await store.recoverInterrupted(Date.now())
  const rows = store.listRuns({}).runs
  const found = await Promise.all(
    rows.map(async ({ runId, status }) => ({
      runId,
      status,
      replayable: (await store.journal.readReplayable(runId)).length,
    })),
  )
  const { problems } = await store.checkIntegrity()
  await store.close()
  const kept = readdirSync(folder).filter((name) => /^weft\.db\.damaged-.*Z(?:-\d+)?$/.test(name))
  const told = [
    ...entries.filter(({ level }) => level === 'error').map(textOf),
    ...damaged.map(({ message }) => message),
  ]
  return {
    runs: found,
    told,
    kept: kept.map((name) => readFileSync(join(folder, name))),
    checked: problems.length === 0,
  }
}

const textOf = ({ message, fields }: LogEntry): string => `${message} ${JSON.stringify(fields ?? '')}`

function tear(file: string, at: number, bytes: number, how: 'zero' | 'flip'): void {
  const data = readFileSync(file)
  for (let i = at; i < Math.min(at + bytes, data.length); i++) data[i] = how === 'zero' ? 0 : ~(data[i] ?? 0) & 255
  writeFileSync(file, data)
}

describe('a database of which a page is torn', () => {
  test.each(['zero', 'flip'] as const)('is saved as far as it can be read, kept, and told of (%s)', async (how) => {
    await makeSamples()
    const pages = readFileSync(join(samples, 'closed', 'weft.db')).length / PAGE
    const whole = await openTorn(await copyOf('closed'))
    expect(whole).toMatchObject({ told: [], kept: [], checked: true })
    expect(whole.runs.map(({ replayable }) => replayable)).toEqual([CALLS, 9])
    const step = Math.ceil(pages / (how === 'zero' ? 16 : 8))
    const torn = Array.from({ length: Math.ceil(pages / step) }, (_, n) => n * step)
    await mapFew(torn, 4, async (page) => {
      const folder = await copyOf('closed')
      const file = join(folder, 'weft.db')
      tear(file, page * PAGE, how === 'zero' ? PAGE : 200, how)
      const before = readFileSync(file)
      const found = await openTorn(folder)
      const place = `page ${page + 1} of ${pages}`
      // Either nothing that is in use was hit, or it is told and the original is there, byte for byte.
      if (found.told.length === 0) expect({ place, runs: found.runs }).toEqual({ place, runs: whole.runs })
      else expect({ place, same: found.kept.map((kept) => kept.equals(before)) }).toEqual({ place, same: [true] })
      expect({ place, checked: found.checked }).toEqual({ place, checked: true })
    })
  })

  test('that was the first one, and with it all, gives way to an empty history, in words', async () => {
    const folder = await copyOf('closed')
    tear(join(folder, 'weft.db'), 0, PAGE, 'flip')
    const found = await openTorn(folder)
    expect([found.runs, found.kept.length]).toEqual([[], 1])
    expect(found.told).toEqual([
      expect.stringMatching(/It is kept as .*Nothing of it can be read, so the history begins anew/),
    ])
    expect(existsSync(join(folder, 'weft.db'))).toBe(true)
  })
})

describe('a log of which a page is torn', () => {
  test('costs what follows it, which is told, and never what stands before', async () => {
    await makeSamples()
    const log = readFileSync(join(samples, 'killed', 'weft.db-wal'))
    const frames = Math.floor((log.length - 32) / (PAGE + 24))
    const whole = await openTorn(await copyOf('killed'))
    expect(whole).toMatchObject({ told: [], kept: [], runs: [{ status: 'interrupted', replayable: 9 }] })
    let before = 0
    for (let frame = 0; frame < frames - 1; frame += Math.ceil(frames / 12)) {
      // oxlint-disable-next-line no-await-in-loop
      const folder = await copyOf('killed')
      tear(join(folder, 'weft.db-wal'), 32 + frame * (PAGE + 24) + 24 + 100, 8, 'flip')
      // oxlint-disable-next-line no-await-in-loop
      const found = await openTorn(folder)
      const place = `frame ${frame + 1} of ${frames}`
      expect({ place, told: found.told }).toEqual({
        place,
        told: [expect.stringContaining('lost with a part of its log')],
      })
      expect({ place, kept: found.kept.length, checked: found.checked }).toEqual({ place, kept: 1, checked: true })
      const replayable = found.runs[0]?.replayable ?? 0
      expect(replayable).toBeGreaterThanOrEqual(before)
      before = replayable
    }
    expect(before).toBeGreaterThan(3)
  })

  test('cut anywhere in its last record, as by a power cut, loses that record alone', async () => {
    await makeSamples()
    const { length } = readFileSync(join(samples, 'killed', 'weft.db-wal'))
    for (const cut of [1, 7, 100, PAGE, PAGE + 23, PAGE + 24]) {
      // oxlint-disable-next-line no-await-in-loop
      const folder = await copyOf('killed')
      truncateSync(join(folder, 'weft.db-wal'), length - cut)
      // oxlint-disable-next-line no-await-in-loop
      const found = await openTorn(folder)
      expect({ cut, ...found }).toMatchObject({ cut, told: [], kept: [], checked: true })
      expect(found.runs[0]?.replayable).toBeGreaterThanOrEqual(8)
    }
  })
})

test('a result of which a byte is flipped runs again, its siblings do not, and the run says so', async () => {
  const folders = await makeGatedFolders()
  openGate(folders)
  const first = await makeHost({ folders })
  const { runId } = await runToEnd(first.session, wishOf(folders))
  await first.host.dispose('done')
  const db = new Database(join(folders.dataDir, 'weft.db'))
  const agent = Number(db.prepare(`SELECT agent FROM journal WHERE result = '"one x!"'`).pluck().get())
  db.prepare(`UPDATE journal SET result = replace(result, '"one x!"', '"one x!') WHERE run_id = ?`).run(runId)
  db.prepare(`UPDATE runs SET started_by = substr(started_by, 2)`).run()
  db.close()
  const { session, host } = await makeHost({ folders })
  expect((await session.call('run.list', {})).runs).toHaveLength(1)
  await expect(session.call('run.call', { runId, agent })).rejects.toMatchObject({
    message: expect.stringContaining('is damaged'),
  })
  const again = await runToEnd(session, { resumeFromRunId: runId })
  expect(again.result).toEqual(RESULT)
  // Itself, what came after it in its lane, and what follows the join.
  expect(again.state.calls).toMatchObject({ replayed: 9, completed: 3 })
  expect(again.state.warnings.map(({ message }) => message)).toEqual([expect.stringContaining('result of run')])
  await host.dispose('done')
})
