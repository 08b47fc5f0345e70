// A resume happens on another day, maybe on another machine: the same script has to make the same calls there.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundleWorker } from '../../support/engine/worker-files.ts'

const PROGRAM = fileURLToPath(new URL('../../support/engine/run-process.ts', import.meta.url))

const SCRIPT = `export const meta = { name: 'test', description: 'A test.' }
const d = new Date(2021, 5, 30, 23, 30)
const local = [String(d), d.toLocaleString(), d.getDate(), d.toISOString(), new Date('2021-03-28T02:30').getTime(), Date.parse('Jan 2 2021')]
const texts = ['I'.toLowerCase(), 'i'.toLocaleUpperCase(), 'I'.toLocaleLowerCase(), 'i'.localeCompare('ı'), /I/i.test('ı'), 'ß'.toUpperCase()]
const order = ['ı', 'i', 'I', 'İ', 'z', 'ä', 'ç', 'c'].sort((a, b) => a.localeCompare(b))
const numbers = [(1234567.5).toLocaleString(), (0.5).toLocaleString('tr', { style: 'percent' })]
await agent(JSON.stringify({ local, texts, order, numbers }))
const found = await pipeline([1, 2, 3, 4], (n) => agent('find ' + n), (text) => parallel([() => agent(text + ' a'), () => agent(text + ' b')]))
const bare = await Promise.all(['x', 'y', 'z'].map(async (name) => agent('second ' + (await agent('first ' + name)))))
return { local, texts, order, numbers, found, bare }`

async function runWith(environment: Record<string, string>, concurrency: number): Promise<unknown> {
  const workers = await Promise.all([bundleWorker('engine/sandbox/worker.ts'), bundleWorker('engine/check/worker.ts')])
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...workers, String(concurrency), SCRIPT], {
    env: { PATH: process.env.PATH, ...environment },
  })
  return JSON.parse(stdout)
}

test('time zone, language and the number of agents at once change neither results nor the places and keys of calls', async () => {
  const plain = await runWith({ TZ: 'UTC', LC_ALL: 'C' }, 1)
  expect(plain).toMatchObject({
    outcome: 'completed',
    calls: { length: 19 },
    result: { texts: ['i', 'I', 'i', expect.any(Number), false, 'SS'] },
  })
  expect(await runWith({ TZ: 'Asia/Kolkata', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }, 16)).toEqual(plain)
  expect(await runWith({ TZ: 'America/St_Johns', LC_ALL: 'ar_EG.UTF-8' }, 3)).toEqual(plain)
}, 60_000)
