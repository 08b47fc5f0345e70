import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeSource, readSource, readWorkspace } from '../../../src/cli/options/source.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-source-'))
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'here.js'), 'text')
  writeFileSync(join(folder, 'sub', 'there.ts'), '')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('readSource', () => {
  it('takes what has a separator for a path', () => {
    expect(readSource('sub/there.ts', folder)).toEqual({ kind: 'path', path: join(folder, 'sub', 'there.ts') })
    expect(readSource('./here.js', folder)).toEqual({ kind: 'path', path: join(folder, 'here.js') })
    expect(() => readSource('sub/missing.js', folder)).toThrow(`there is no file ${join(folder, 'sub', 'missing.js')}`)
  })

  it('takes a path without its ending for the script that has one', () => {
    expect(readSource('sub/there', folder)).toEqual({ kind: 'path', path: join(folder, 'sub', 'there.ts') })
    expect(readSource('./here', folder)).toEqual({ kind: 'path', path: join(folder, 'here.js') })
    // A folder is no script, and a name stays a name.
    expect(() => readSource('./sub', folder)).toThrow('there is no file')
    expect(readSource('here', folder)).toEqual({ kind: 'name', name: 'here' })
  })

  it('takes a script that is here for a path', () => {
    expect(readSource('here.js', folder)).toEqual({ kind: 'path', path: join(folder, 'here.js') })
  })

  it('takes anything else for a name', () => {
    expect(readSource('review', folder)).toEqual({ kind: 'name', name: 'review' })
    expect(readSource('missing.js', folder)).toEqual({ kind: 'name', name: 'missing.js' })
  })
})

describe('describeSource', () => {
  it('has the text of a file', () => {
    const path = join(folder, 'here.js')
    expect(describeSource({ kind: 'path', path })).toEqual({ file: path, text: 'text' })
    expect(describeSource({ kind: 'name', name: 'x' })).toBeUndefined()
  })
})

describe('readWorkspace', () => {
  it('is the folder here or the one that is named', () => {
    expect([readWorkspace(undefined, folder), readWorkspace('sub', folder)]).toEqual([folder, join(folder, 'sub')])
  })

  it('refuses what is no folder', () => {
    expect(() => readWorkspace('here.js', folder)).toThrow('--cwd: there is no folder')
  })
})
