import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/engine-coverage.md'), 'utf8')
const rows = page.split('\n').filter((line) => /^\| (§|[A-Z]\d)/.test(line))

/** Of each row the files it names, and the title it quotes from the first of them. */
const claims = rows.map((row) => {
  const [, , , tests = '', state = ''] = row.split('|')
  return {
    row,
    files: [...tests.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1] ?? ''),
    title: /“(.+?)”/.exec(tests)?.[1],
    state: state.trim(),
  }
})

describe('docs/engine-coverage.md', () => {
  it('names a test for everything that it calls covered, and says so of everything else', () => {
    expect(claims.length).toBeGreaterThan(60)
    expect(claims.filter(({ files, state }) => files.length > 0 !== /^(covered|partly)/.test(state))).toEqual([])
  })

  it('names test files that exist', () => {
    const named = claims.flatMap(({ files }) => files)
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('quotes titles that stand in those files', () => {
    const missing = claims.filter(
      ({ files, title }) =>
        title !== undefined && !files.some((file) => readFileSync(join(root, file), 'utf8').includes(title)),
    )
    expect(missing.map(({ row }) => row)).toEqual([])
  })
})
