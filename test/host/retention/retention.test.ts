import { mkdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RunId } from '../../../src/shared/index.ts'
import { Retention } from '../../../src/host/retention/retention.ts'
import { runToEnd, wishOf } from '../../support/host/counting.ts'
import { makeFolders, makeHost, writeFileIn } from '../../support/host/make-host.ts'
import { createLogKeeper } from '../../support/host/quiet-logger.ts'
import { waitUntil } from '../../support/host/wait-until.ts'

const settings = (retention: object): string => JSON.stringify({ retention })

it('lets runs that are too old go when a host starts, and says so; pinned ones stay', async () => {
  const folders = await makeFolders()
  const first = await makeHost({ folders })
  const old = await runToEnd(first.session, wishOf(folders, 'return 1'))
  const pinned = await runToEnd(first.session, wishOf(folders, 'return 2'))
  await first.session.call('run.pin', { runId: pinned.runId, pinned: true })
  await first.host.dispose('the first host ends')
  mkdirSync(join(folders.dataDir, 'runs', old.runId), { recursive: true })
  await writeFileIn(folders.dataDir, 'settings.json', settings({ maxAgeDays: 1e-9 }))
  const { session, entries } = await makeHost({ folders })
  await waitUntil('the old run is gone', async () => (await session.call('run.list', {})).total === 1)
  expect((await session.call('run.list', {})).runs).toMatchObject([{ runId: pinned.runId }])
  expect(entries.map(({ message }) => message)).toContain(`Retention has deleted 1 run: ${old.runId}`)
  await waitUntil('its files are gone', async () => !existsSync(join(folders.dataDir, 'runs', old.runId)))
})

it('deletes nothing without the setting, and reads the setting anew each time', async () => {
  const asked: object[] = []
  let retention: object | undefined
  const told: RunId[][] = []
  const keeper = createLogKeeper()
  const work = new Retention({
    store: {
      applyRetention: async (policy) => {
        asked.push(policy)
        if (asked.length > 1) throw new Error('the disk is gone')
        return []
      },
    },
    settings: {
      read: () => ({ settings: retention === undefined ? {} : { retention }, errors: [], warnings: [], text: '' }),
    },
    dataDir: '/nowhere',
    logger: keeper.logger,
    onDeleted: (runIds) => told.push(runIds),
  })
  await work.apply(1)
  expect(asked).toEqual([])
  retention = { maxAgeDays: 2, maxMegabytes: 3 }
  await work.apply(1)
  expect(asked).toEqual([{ maxAgeDays: 2, maxBytes: 3 * 1024 * 1024 }])
  await work.apply(1)
  expect(keeper.entries.map(({ message }) => message)).toEqual(['Old runs could not be deleted'])
  expect(told).toEqual([])
  await work.dispose()
})
