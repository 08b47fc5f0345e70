import { describe, expect, it } from 'vitest'
import { readPromises } from '../../../src/cli/output/json.ts'

describe('readPromises', () => {
  it.each([
    [['run', 'x', '--json'], { json: true, events: false }],
    [['run', 'x', '--json', '--events', 'f'], { json: true, events: false }],
    [['run', 'x', '--json', '--events', '-'], { json: false, events: true }],
    [['run', 'x', '--events=-'], { json: false, events: true }],
    [['run', '--', '--json'], { json: false, events: false }],
    [[], { json: false, events: false }],
  ])('reads %j', (argv, promises) => {
    expect(readPromises(argv)).toEqual(promises)
  })
})
