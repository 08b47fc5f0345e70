import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogFile } from '../../src/main/log-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-log-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('an error is logged with its message, stack and cause, one line each', () => {
  const file = join(folder, 'logs', 'main.log')
  const error = new Error('outer', { cause: new Error('inner') })
  createLogFile(file).error('It broke', { error, runId: 'r1' })
  createLogFile(file).info('two\nlines')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  const [first] = lines.map((line) => JSON.parse(line))
  expect(first).toMatchObject({
    level: 'error',
    message: 'It broke',
    runId: 'r1',
    error: { message: 'outer', stack: expect.stringContaining('log-file.test'), cause: { message: 'inner' } },
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a log that has grown large is put aside', () => {
  const file = join(folder, 'main.log')
  writeFileSync(file, 'x'.repeat(5 * 1024 * 1024 + 1))
  createLogFile(file).warn('on')
  expect(statSync(`${file}.old`).size).toBe(5 * 1024 * 1024 + 1)
  expect(readFileSync(file, 'utf8')).toContain('"on"')
})

test('a log that can not be written ends nothing', () => {
  writeFileSync(join(folder, 'file'), '')
  const file = join(folder, 'file', 'main.log')
  createLogFile(file).error('lost')
  expect(existsSync(file)).toBe(false)
})

test('fields that are no JSON end nothing', () => {
  const file = join(folder, 'main.log')
  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  createLogFile(file).error('cyclic', { cycle })
  expect(readFileSync(file, 'utf8')).toContain('"cyclic"')
})
