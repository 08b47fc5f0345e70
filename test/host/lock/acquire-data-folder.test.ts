import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { acquireDataFolder, describeOwner } from '../../../src/host/lock/acquire-data-folder.ts'
import { readOwner } from '../../../src/host/lock/read-owner.ts'
import { makeTempFolder } from '../../support/host/temp-folder.ts'

function take(dataDir: string) {
  const taken = acquireDataFolder(dataDir)
  if (!taken.held) throw new Error('the folder is taken')
  onTestFinished(() => taken.lock.release())
  return taken.lock
}

test('a data folder is made for the user alone', async () => {
  const dataDir = join(await makeTempFolder(), 'deep', 'data')
  take(dataDir)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
})

test('a second host is told who holds the folder', async () => {
  const dataDir = await makeTempFolder()
  const owner = { pid: 42, version: '1.2.3', socket: '/tmp/x.sock', startedAt: 1 }
  take(dataDir).announce(owner)
  expect(acquireDataFolder(dataDir)).toEqual({ held: false, owner })
  expect(describeOwner(owner)).toBe('another Weft host (pid 42, version 1.2.3, socket /tmp/x.sock)')
})

test('a second host is refused before the first has said who it is', async () => {
  const dataDir = await makeTempFolder()
  take(dataDir)
  expect(acquireDataFolder(dataDir)).toEqual({ held: false, owner: undefined })
})

test('a folder given back can be taken again', async () => {
  const dataDir = await makeTempFolder()
  const first = take(dataDir)
  first.announce({ pid: 1, version: '1', socket: null, startedAt: 1 })
  first.release()
  first.release()
  expect(readOwner(dataDir)).toBeUndefined()
  take(dataDir)
})

test('the lock of a killed process is free, and its owner file gone once it is taken', async () => {
  const dataDir = await makeTempFolder()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../support/host/hold-lock.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  expect(acquireDataFolder(dataDir)).toMatchObject({ held: false, owner: { pid: child.pid } })
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  take(dataDir)
  expect(readOwner(dataDir)).toBeUndefined()
})

test('an owner file that is no owner is none', async () => {
  const dataDir = await makeTempFolder()
  take(dataDir).announce({ pid: 1.5, version: '1', socket: null, startedAt: 1 })
  expect(readOwner(dataDir)).toBeUndefined()
})

test('a lock file that a disk spoilt is emptied, and guards the folder again', async () => {
  const dataDir = await makeTempFolder()
  const file = join(dataDir, 'lock.db')
  await writeFile(file, 'no database '.repeat(1000))
  take(dataDir)
  expect(await readFile(file, 'utf8')).toBe('')
  expect(acquireDataFolder(dataDir)).toEqual({ held: false, owner: undefined })
})

test('a lock file that another host holds is left as it is, whatever is in it', async () => {
  const dataDir = await makeTempFolder()
  const file = join(dataDir, 'lock.db')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../support/host/hold-lock.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  await writeFile(file, 'no database '.repeat(1000))
  expect(acquireDataFolder(dataDir)).toMatchObject({ held: false, owner: { pid: child.pid } })
  expect((await stat(file)).size).toBeGreaterThan(0)
})
