import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSnippet } from '../../../src/store/queries/search-queries.ts'
import type { Store } from '../../../src/store/index.ts'
import { openTestStore, runIdOf, RunWriter, until } from '../../support/store/store-helpers.ts'

const line = (message: string) => ({ message, level: 'log', source: 'log', phase: null, group: 0 }) as const

async function openWithTexts(): Promise<{ store: Store; run: RunWriter }> {
  const { store } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  await run.endAgent(run.startAgent('Describe the blue heron\nand its nest'), {
    bird: 'Ardea cinerea',
    note: 'fait la sieste à midi',
  })
  await run.endAgent(run.startAgent('请检查这个文件的错误'), 'The heron left; C:\\birds\\new.txt')
  run.add('log', line('counted 41 herons'))
  await store.journal.saveResult(run.runId, ['final report about waders'])
  await until(() => store.search('waders').length === 1)
  return { store, run }
}

test('prompts, results, log lines and return values are found, newest first, with the words around the match', async () => {
  const { store, run } = await openWithTexts()
  const { runId } = run
  expect(store.search('heron')).toEqual([
    { runId, kind: 'log', agent: null, seq: 8, snippet: 'counted 41 herons' },
    { runId, kind: 'result', agent: 2, seq: null, snippet: 'The heron left; C:\\birds\\new.txt' },
    { runId, kind: 'prompt', agent: 1, seq: null, snippet: 'Describe the blue heron and its nest' },
  ])
  expect(store.search('waders')).toMatchObject([{ kind: 'return', snippet: '["final report about waders"]' }])
})

test('words, phrases, beginnings of words and characters of unspaced scripts are looked for, accents and case apart', async () => {
  const { store } = await openWithTexts()
  const hits = {
    'nest blue': 1,
    'nest waders': 0,
    '"blue heron"': 1,
    '"heron blue"': 0,
    ARDEA: 1,
    'a midi sieste': 1,
    desc: 1,
    de: 0,
    'blue\0heron': 1,
    检查: 1,
    检文: 0,
    '"*': 0,
  }
  const found = Object.keys(hits).map((query) => [query, store.search(query).length])
  expect(Object.fromEntries(found)).toEqual(hits)
})

test('no more hits come back than asked for', async () => {
  const { store } = await openWithTexts()
  expect(store.search('heron', { limit: 2 })).toHaveLength(2)
})

test('whatever is typed, a search answers', async () => {
  const { store } = await openWithTexts()
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (query) => Array.isArray(store.search(query))))
})

test('what was not indexed when the process ended is indexed after the next opening, once', async () => {
  const { store, file } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  for (let n = 0; n < 5; n++) await run.endAgent(run.startAgent(`otter ${n}`), `otter says ${n}`)
  run.end()
  await store.close()
  const second = await openTestStore({ file })
  await until(() => second.store.search('otter').length === 10)
  await second.store.close()
  const third = await openTestStore({ file })
  await third.store.writeSetting('a', 1)
  expect(third.store.search('otter')).toHaveLength(10)
})

test('a damaged log line and a lost value do not hinder the index', async () => {
  const { store, file } = await openTestStore()
  const run = await RunWriter.start(store, runIdOf(1))
  run.add('log', line('damaged'))
  await run.endAgent(run.startAgent('badger'.repeat(20_000)), 'badger')
  run.end()
  await store.close()
  const db = new Database(file)
  db.pragma('foreign_keys = OFF')
  db.exec('DELETE FROM search_index; DELETE FROM search_documents; UPDATE runs SET indexed = 0')
  db.exec("UPDATE events SET data = '{' WHERE type = 'log'; DELETE FROM blobs")
  db.close()
  const after = await openTestStore({ file })
  await until(() => after.store.search('badger').length > 0)
  expect(after.store.search('badger')).toMatchObject([{ kind: 'result' }])
  expect(after.errors).toEqual([])
})

test('a snippet is one line around the first match, cut at characters', () => {
  const body = `${'😀'.repeat(100)} and\n the otter ${'😀'.repeat(300)}`
  const snippet = toSnippet(body, ['otter'])
  expect(snippet).toMatch(/^…😀+ and the otter 😀+…$/u)
  expect(snippet.length).toBeLessThanOrEqual(202)
  expect(toSnippet('short', ['absent'])).toBe('short')
})
