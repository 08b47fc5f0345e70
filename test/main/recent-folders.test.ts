import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RecentFolders } from '../../src/main/recent-folders.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-recent-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function folder(name: string): string {
  const path = join(root, name)
  mkdirSync(path)
  return path
}

function open() {
  const errors: unknown[] = []
  return { recent: new RecentFolders(join(root, 'data', 'recent.json'), (error) => errors.push(error)), errors }
}

test('folders are listed newest first, each once, and kept for the next start', () => {
  const [a, b] = [folder('a'), folder('b')]
  const { recent } = open()
  for (const path of [a, b, a]) recent.add(path)
  expect(recent.list()).toEqual([a, b])
  expect(open().recent.list()).toEqual([a, b])
  expect(statSync(join(root, 'data', 'recent.json')).mode & 0o777).toBe(0o600)
})

test('a folder that is gone is not listed, and no more than ten are kept', () => {
  const { recent } = open()
  const folders = Array.from({ length: 12 }, (_, index) => folder(`f${index}`))
  for (const path of folders) recent.add(path)
  rmSync(folders[11] ?? '', { recursive: true })
  expect(recent.list()).toEqual(Array.from({ length: 9 }, (_, index) => folders[10 - index]))
})

test('nothing is left after clearing', () => {
  const { recent } = open()
  recent.add(folder('a'))
  recent.clear()
  expect(recent.list()).toEqual([])
})

test('a file that is not ours counts for none, and one that can not be written is told', () => {
  mkdirSync(join(root, 'data'))
  writeFileSync(join(root, 'data', 'recent.json'), '{"a":')
  const { recent, errors } = open()
  expect(recent.list()).toEqual([])
  rmSync(join(root, 'data'), { recursive: true })
  writeFileSync(join(root, 'data'), 'in the way')
  recent.add(root)
  expect(errors).toHaveLength(1)
})
