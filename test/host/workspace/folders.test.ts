import { expect, test } from 'vitest'
import { looksLikeScript, stemOf, workflowFolders } from '../../../src/host/workspace/folders.ts'

const options = { configDir: '/home/u/.config/weft', home: '/home/u', bundledWorkflows: '/app/workflows' }

test('folders are looked at from the project to what Weft brings', () => {
  expect(workflowFolders('/w', options).map(({ path, source, writable }) => [path, source, writable])).toEqual([
    ['/w/workflows', 'project', true],
    ['/w/.weft/workflows', 'weft', true],
    ['/w/.claude/workflows', 'claude', true],
    ['/home/u/.config/weft/workflows', 'user', true],
    ['/home/u/.claude/workflows', 'claude', true],
    ['/app/workflows', 'bundled', false],
  ])
})

test('a folder that is two things counts once, as the first', () => {
  const folders = workflowFolders('/home/u', { ...options, bundledWorkflows: '/home/u/workflows' })
  expect(folders.map(({ path, source }) => [path, source])).toEqual([
    ['/home/u/workflows', 'project'],
    ['/home/u/.weft/workflows', 'weft'],
    ['/home/u/.claude/workflows', 'claude'],
    ['/home/u/.config/weft/workflows', 'user'],
  ])
})

test('scripts are told from declarations, tests and hidden files', () => {
  const names = ['a.js', 'a.mjs', 'a.ts', 'a.d.ts', 'a.test.ts', '.a.js', 'a.json', 'a.jsx', 'a.cjs']
  expect(names.filter(looksLikeScript)).toEqual(['a.js', 'a.mjs', 'a.ts'])
  expect(stemOf('deep.review.ts')).toBe('deep.review')
})
