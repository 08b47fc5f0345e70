import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { AgentsError } from '../../../src/agents/errors.ts'
import { loadFixtures, parseFixtures, toFixturesPath } from '../../../src/agents/simulated/load-fixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'weft-fixtures-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function violations(value: unknown): readonly string[] {
  try {
    parseFixtures(JSON.stringify(value), 'review.fixtures.json')
  } catch (error) {
    if (error instanceof AgentsError && error.code === 'FIXTURES_INVALID') return error.violations
    throw error
  }
  return []
}

describe('the file of a script', () => {
  it.each([
    ['/w/review.js', '/w/review.fixtures.json'],
    ['/w/a.b.mjs', '/w/a.b.fixtures.json'],
    ['/w/typed.ts', '/w/typed.fixtures.json'],
  ])('%s is %s', (script, file) => {
    expect(toFixturesPath(script)).toBe(file)
  })
})

describe('loading', () => {
  it('gives what the file holds, with a BOM too, and undefined without a file', async () => {
    const file = join(folder, 'a.fixtures.json')
    const fixtures = {
      seed: 3,
      otherwise: 'fail',
      calls: [
        { match: { label: 'a', phase: null, nth: 2 }, answer: { any: ['JSON', null] } },
        { error: 'text', delayMs: 5, progress: ['x', { tool: 'Read', input: { a: 1 } }] },
        { skip: true, usage: { costUsd: 0.01 } },
        { permission: { title: 'Run it?', options: ['reject'] }, invalid: [null] },
      ],
    }
    writeFileSync(file, `\uFEFF${JSON.stringify(fixtures)}`)
    expect(await loadFixtures(file)).toEqual(fixtures)
    expect(await loadFixtures(join(folder, 'none.fixtures.json'))).toBeUndefined()
  })

  it('says why a file can not be read', async () => {
    await expect(loadFixtures(folder)).rejects.toMatchObject({
      code: 'FIXTURES_UNREADABLE',
      message: expect.stringContaining(folder),
    })
  })

  it('says where JSON is broken', () => {
    expect(() => parseFixtures('{"calls": [', 'x.json')).toThrow(/The fixtures in x\.json are not valid:\n\s+.*JSON/)
  })
})

describe('violations', () => {
  it('are all named at once, each with its place', () => {
    expect(
      violations({
        calls: [
          { match: { labl: 'x', nth: 0 }, anwser: 1 },
          { error: { message: '', failure: 'boom' }, progress: [5] },
          { answer: 1, error: 'x', skip: true },
          { match: { promptMatches: '(' } },
        ],
        otherwise: 'maybe',
      }),
    ).toEqual([
      '/calls/0 has an unknown field "anwser": did you mean "answer"?',
      '/calls/0/match has an unknown field "labl": did you mean "label"?',
      '/calls/0/match/nth must be >= 1',
      '/calls/1/error/message must NOT have fewer than 1 characters',
      expect.stringMatching(/^\/calls\/1\/error\/failure must be "transient" or "quota" or .* or "other"$/),
      '/calls/1/progress/0 must be a string or an object',
      '/otherwise must be "generate" or "fail"',
    ])
  })

  it('that the schema can not express come after those it can', () => {
    expect(violations({ calls: [{ answer: 1, error: 'x', skip: true }, { match: { promptMatches: '(' } }] })).toEqual([
      '/calls/0 has answer and error and skip: give one of them',
      expect.stringMatching(/^\/calls\/1\/match\/promptMatches is no regular expression: /),
    ])
  })

  it('name a missing list of calls', () => {
    expect(violations({})).toEqual(["/ must have required property 'calls'"])
  })
})
