import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { addCompletion } from '../../src/cli/completion.ts'
import { createProgram } from '../../src/cli/program.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-completion-'))
  mkdirSync(join(folder, 'workflows'))
  writeFileSync(join(folder, 'workflows', 'review.js'), '')
  writeFileSync(join(folder, 'here.ts'), '')
  writeFileSync(join(folder, 'notes.md'), '')
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => {
  vi.restoreAllMocks()
})

/** What a shell is offered for these words, the last one half typed. */
function complete(...words: string[]): string[] {
  const lines: string[] = []
  // The completion library answers a shell through console.log.
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  const argv = ['complete', '--', ...words]
  const program = createProgram(
    '1.2.3',
    () => {},
    () => {},
  )
  addCompletion(program, folder, argv)
  program.parse(argv, { from: 'user' })
  return lines.map((line) => line.split('\t')[0] ?? '')
}

describe('completion', () => {
  it('offers commands and options', () => {
    expect(complete('dr')).toEqual(['dry-run', ':4'])
    expect(complete('run', '--bu')).toEqual(['--budget', ':4'])
    expect(complete('dry-run', '--fix')).toEqual(['--fixtures', ':4'])
  })

  it('offers scripts, folders and workflow names where a script is wanted', () => {
    expect(complete('run', '')).toEqual(['here.ts', 'workflows/', 'review', ':4'])
    expect(complete('dry-run', 'workflows/')).toEqual(['workflows/review.js', ':4'])
  })

  it('offers no commands that are hidden', () => {
    expect(complete('compl')).toEqual(['completion', ':4'])
  })
})
