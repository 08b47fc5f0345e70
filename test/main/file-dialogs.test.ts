import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pickFile, type FileDialogs } from '../../src/main/file-dialogs.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-dialogs-'))
  writeFileSync(join(folder, 'there.js'), '')
  mkdirSync(join(folder, 'folder.js'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Dialogs in which the user picks this; what they were told is written down. */
function dialogsAnswering(name: string | undefined) {
  const asked: object[] = []
  const refused: string[] = []
  const answer = (options: object) => {
    asked.push(options)
    return Promise.resolve(name === undefined ? undefined : join(folder, name))
  }
  const dialogs: FileDialogs = { open: answer, save: answer, refuse: async (message) => void refused.push(message) }
  return { dialogs, asked, refused }
}

test('a file of the wanted kind is answered with its path', async () => {
  const { dialogs, refused } = dialogsAnswering('there.js')
  expect(await pickFile({ purpose: 'open', kind: 'workflow' }, folder, dialogs)).toBe(join(folder, 'there.js'))
  expect(refused).toEqual([])
})

test('a user who gives up is answered with nothing', async () => {
  expect(await pickFile({ purpose: 'open', kind: 'run' }, folder, dialogsAnswering(undefined).dialogs)).toBeNull()
})

test.each([
  ['another ending', 'open', 'there.txt', 'does not end in .js or .mjs or .ts'],
  ['a file that is not there', 'open', 'gone.js', 'is not there'],
  ['a folder', 'open', 'folder.js', 'is not a file'],
  ['a folder to write to', 'save', 'folder.js', 'is not a file'],
  ['an ending to write to', 'save', 'run.sh', 'does not end in'],
] as const)('%s is refused in words', async (_title, purpose, name, words) => {
  const { dialogs, refused } = dialogsAnswering(name)
  expect(await pickFile({ purpose, kind: 'workflow' }, folder, dialogs)).toBeNull()
  expect(refused).toEqual([expect.stringContaining(words)])
})

test('a name without an ending gets that of its kind', async () => {
  const { dialogs } = dialogsAnswering('mine')
  expect(await pickFile({ purpose: 'save', kind: 'run' }, folder, dialogs)).toBe(join(folder, 'mine.jsonl'))
})

test('a dialog to save begins in the folder with the suggested name', async () => {
  const { dialogs, asked } = dialogsAnswering(undefined)
  await pickFile({ purpose: 'save', kind: 'report', suggestedName: 'my run.html' }, folder, dialogs)
  await pickFile({ purpose: 'save', kind: 'json' }, folder, dialogs)
  expect(asked).toMatchObject([
    { defaultPath: join(folder, 'my run.html') },
    { defaultPath: join(folder, 'untitled.json') },
  ])
})
