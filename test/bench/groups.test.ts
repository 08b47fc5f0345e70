import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GOALS, GROUPS } from '../../bench/groups.ts'
import { median, quantile } from '../../bench/lib/measure.ts'
import { DOCUMENT, NOTES, toTable } from '../../bench/lib/report.ts'
import { toRow, type Benchmark } from '../../bench/lib/row.ts'

const benchmarks: Benchmark[] = Object.values(GROUPS).flatMap(({ rows }) => Object.values<Benchmark>(rows))

test('each goal of the performance contract that is measured here has a row, and each row a goal', () => {
  expect(new Set(benchmarks.map(({ goal }) => goal))).toEqual(new Set(Object.keys(GOALS)))
  expect(new Set(benchmarks.map(({ name }) => name)).size).toBe(benchmarks.length)
})

test('the document tells of rows that are measured, with what they are compared with now, and has notes by hand', () => {
  const [table = '', notes = ''] = readFileSync(DOCUMENT, 'utf8').split(NOTES)
  const told = [...table.matchAll(/^\| (.+?) +\|/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !/^what$|^-+$/.test(name))
  expect(told.length).toBeGreaterThan(12)
  for (const name of told) {
    const known = benchmarks.find((benchmark) => benchmark.name === name)
    expect(known, name).toBeDefined()
    expect(table, name).toContain(known?.referenceName)
  }
  expect(notes.length).toBeGreaterThan(200)
})

test('a row has exactly the fields that are promised, and says whether it is good', () => {
  const benchmark = { name: 'a', goal: 'parallel', referenceName: 'peer', unit: 'ms', limit: 1.2 }
  const row = toRow(benchmark, { ours: 110, reference: 100 })
  expect(row).toEqual({
    name: 'a',
    ours: 110,
    reference: 100,
    referenceName: 'peer',
    unit: 'ms',
    ratio: 1.1,
    goal: 1.2,
  })
  expect(toTable([row, { ...row, ratio: 1.3 }]).match(/met|missed/g)).toEqual(['met', 'missed'])
})

test('a median and a quantile are values that were measured', () => {
  expect(median([5, 1, 9])).toBe(5)
  expect(quantile([4, 1, 3, 2], 0.95)).toBe(4)
  expect(() => median([])).toThrow('nothing')
})
