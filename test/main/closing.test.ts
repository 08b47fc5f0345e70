import { expect, test } from 'vitest'
import { createClosing, type CloseAnswer, type ClosingPorts } from '../../src/main/closing.ts'

function setUp(live: number, answer: CloseAnswer | (() => Promise<CloseAnswer>) = 'stay') {
  const steps: string[] = []
  const ports: ClosingPorts = {
    liveRuns: async () => live,
    ask(liveRuns) {
      steps.push(`asked about ${liveRuns}`)
      return typeof answer === 'string' ? Promise.resolve(answer) : answer()
    },
    closeWindow: () => void steps.push('closed'),
    quit: () => void steps.push('quit'),
    onError: (error) => void steps.push(String(error)),
  }
  return { close: createClosing(ports), steps, ports }
}

test('without live runs the last window ends the app', async () => {
  const { close, steps } = setUp(0)
  await close()
  expect(steps).toEqual(['quit'])
})

test.each([
  ['keep', ['asked about 2', 'closed']],
  ['cancel', ['asked about 2', 'quit']],
  ['stay', ['asked about 2']],
] as const)('with live runs the answer decides: %s', async (answer, expected) => {
  const { close, steps } = setUp(2, answer)
  await close()
  expect(steps).toEqual(expected)
})

test('a second wish to close while the question is open asks nothing', async () => {
  let settle: (answer: CloseAnswer) => void = () => {}
  const { close, steps } = setUp(1, () => new Promise((resolve) => (settle = resolve)))
  const first = close()
  await close()
  settle('stay')
  await first
  expect(steps).toEqual(['asked about 1'])
  void close()
  await new Promise(setImmediate)
  expect(steps).toEqual(['asked about 1', 'asked about 1'])
})

test('a host that does not answer does not keep the window open', async () => {
  const { close, steps, ports } = setUp(1)
  ports.liveRuns = () => Promise.reject(new Error('closed'))
  await close()
  expect(steps).toEqual(['Error: closed', 'quit'])
})
