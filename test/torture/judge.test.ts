import { expect, test } from 'vitest'
import { findRepeated } from '../../torture/judge.ts'

const first = {
  runId: 'first',
  calls: [
    { path: '/agent:0', status: 'completed' },
    { path: '/agent:1', status: 'failed' },
    { path: '/agent:2', status: 'cancelled' },
  ],
} as const
const second = {
  runId: 'second',
  calls: [
    { path: '/agent:0', status: 'replayed' },
    { path: '/agent:1', status: 'completed' },
  ],
} as const
const ran = (runId: string, path: string) => ({ runId, path })

test('what has not finished may run again, in the same run too', () => {
  const executions = [
    ran('first', '/agent:0'),
    ran('first', '/agent:1'),
    ran('first', '/agent:1'),
    ran('first', '/agent:2'),
    ran('second', '/agent:1'),
    ran('second', '/agent:2'),
  ]
  expect(findRepeated([first, second], executions)).toEqual([])
})

test('what an earlier run finished or took over is named when a later one runs it', () => {
  expect(findRepeated([first, second], [ran('second', '/agent:0')])).toEqual([
    'run second ran /agent:0 again, which first had finished',
  ])
  expect(findRepeated([second, first], [ran('first', '/agent:0'), ran('first', '/agent:1')])).toEqual([
    'run first ran /agent:0 again, which second had finished',
    'run first ran /agent:1 again, which second had finished',
  ])
})
