import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/store/index.ts'
import { makeFolder, openTestStore, runIdOf, RunWriter, WRITER_WORKER } from '../../support/store/store-helpers.ts'

const worker = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const port = "import { parentPort } from 'node:worker_threads'; "

async function openWith(writerWorker: URL): Promise<unknown> {
  const file = join(makeFolder(), 'weft.db')
  // A reader needs a database to read.
  await (await openStore({ file, writerWorker: WRITER_WORKER, onError: () => undefined })).close()
  return openTestStore({ file, writerWorker })
}

test('a writer thread that cannot be started is an error in words', async () => {
  await expect(openWith(worker('throw new Error("no such module")'))).rejects.toMatchObject({
    code: 'WRITER_LOST',
    message: expect.stringContaining('no such module'),
  })
  await expect(openWith(worker('process.exit(0)'))).rejects.toMatchObject({ code: 'WRITER_LOST' })
})

test('what the writer refuses to open is thrown with its own code, and no thread is left', async () => {
  const reply = `{ type: 'not-opened', error: { code: 'FROM_FUTURE', message: 'too new' } }`
  await expect(openWith(worker(`${port} parentPort.postMessage(${reply})`))).rejects.toMatchObject({
    code: 'FROM_FUTURE',
    message: 'too new',
  })
})

test.each([
  ['ends', 'process.exit(0)'],
  ['throws', 'throw new Error("out of memory")'],
])(
  'when the writer thread %s, what waits is refused, it is reported once, and closing still works',
  async (_how, death) => {
    const dying = worker(
      `${port} parentPort.on('message', () => { ${death} }); parentPort.postMessage({ type: 'ready' })`,
    )
    // Its type is that of openTestStore, which rejected openings don't have.
    const { store, errors } = (await openWith(dying)) as Awaited<ReturnType<typeof openTestStore>>
    await expect(RunWriter.start(store, runIdOf(1))).rejects.toMatchObject({ code: 'WRITER_LOST' })
    await expect(store.writeSetting('a', 1)).rejects.toMatchObject({ code: 'WRITER_LOST' })
    expect(() => store.events.append(runIdOf(1), { seq: 1, at: 1, type: 'run-continued', by: 'user' })).toThrow(
      /no run/,
    )
    expect(errors).toMatchObject([{ code: 'WRITER_LOST' }])
    await store.close()
  },
)

test('operations of one tick are sent as one batch, and a writer that is behind gets the next ones meanwhile', async () => {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  await store.events.flush(run.runId)
  const shown: number[] = []
  store.onStored((_runId, events) => void shown.push(events.length))
  const line = { message: 'm', level: 'log', source: 'log', phase: null, group: 0 } as const
  for (let tick = 0; tick < 200; tick++) {
    for (let n = 0; n < 5; n++) run.add('log', line)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await store.events.flush(run.runId)
  expect(shown.reduce((sum, count) => sum + count, 0)).toBe(1000)
  expect(shown.length).toBeLessThan(200)
})
