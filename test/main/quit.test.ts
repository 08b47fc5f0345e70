import { expect, test, vi } from 'vitest'
import { createQuit, type QuitAnswer, type QuitPorts } from '../../src/main/quit.ts'

/** Ports that write down what is done to them; `quiet` ends the runs. */
function setUp(options: { live?: number; answers?: QuitAnswer[] } = {}) {
  const steps: string[] = []
  const answers = [...(options.answers ?? [])]
  let live = options.live ?? 0
  let quiet = (): void => {}
  const whenQuiet = new Promise<void>((resolve) => {
    quiet = () => {
      live = 0
      resolve()
    }
  })
  const ports: QuitPorts = {
    liveRuns: async () => live,
    async ask(liveRuns) {
      steps.push(`asked about ${liveRuns}`)
      const answer = answers.shift()
      if (answer === undefined) throw new Error('asked once too often')
      return answer
    },
    whenQuiet: () => whenQuiet,
    async cleanUp(reason) {
      steps.push(`cleaned up: ${reason}`)
    },
    end: () => void steps.push('ended'),
    onError: (error) => void steps.push(`error: ${String(error)}`),
  }
  return { quit: createQuit(ports), ports, steps, quiet: () => quiet() }
}

test('without live runs the app ends without a question', async () => {
  const { quit, steps } = setUp()
  await quit.request()
  expect(steps).toEqual(['cleaned up: Weft was closed', 'ended'])
})

test('quitting twice cleans up once', async () => {
  const { quit, steps } = setUp()
  await Promise.all([quit.request(), quit.request()])
  await quit.request()
  expect(steps).toEqual(['cleaned up: Weft was closed', 'ended'])
})

test('quitting twice with a live run asks once', async () => {
  const { quit, steps } = setUp({ live: 1, answers: ['cancel'] })
  await Promise.all([quit.request(), quit.request()])
  expect(steps).toEqual(['asked about 1', 'cleaned up: Weft was closed', 'ended'])
})

test('"stay" leaves everything as it is, and the next time asks again', async () => {
  const { quit, steps } = setUp({ live: 2, answers: ['stay', 'cancel'] })
  await quit.request()
  expect(steps).toEqual(['asked about 2'])
  await quit.request()
  expect(steps).toEqual(['asked about 2', 'asked about 2', 'cleaned up: Weft was closed', 'ended'])
})

test('"wait" ends the app when the last run has ended', async () => {
  const { quit, steps, quiet } = setUp({ live: 1, answers: ['wait'] })
  await quit.request()
  expect(steps).toEqual(['asked about 1'])
  quiet()
  await vi.waitFor(() => expect(steps).toEqual(['asked about 1', 'cleaned up: Weft was closed', 'ended']))
})

test('"stay" after "wait" takes the waiting back', async () => {
  const { quit, steps, quiet } = setUp({ live: 1, answers: ['wait', 'stay'] })
  await quit.request()
  await quit.request()
  quiet()
  // Everything that was waiting has had its turn.
  await new Promise(setImmediate)
  expect(steps).toEqual(['asked about 1', 'asked about 1'])
})

test('a signal asks nobody', async () => {
  const { quit, steps } = setUp({ live: 3 })
  await quit.now('Weft was ended by SIGTERM')
  expect(steps).toEqual(['cleaned up: Weft was ended by SIGTERM', 'ended'])
})

test('a signal during the question ends the app at once', async () => {
  const { quit, ports, steps } = setUp({ live: 1 })
  let answer: (answer: QuitAnswer) => void = () => {}
  ports.ask = () => new Promise((resolve) => (answer = resolve))
  const request = quit.request()
  await quit.now('SIGTERM')
  answer('stay')
  await request
  expect(steps).toEqual(['cleaned up: SIGTERM', 'ended'])
})

test('a clean-up that fails does not keep the app open', async () => {
  const { quit, ports, steps } = setUp()
  ports.cleanUp = () => Promise.reject(new Error('disk full'))
  await quit.request()
  expect(steps).toEqual(['error: Error: disk full', 'ended'])
})

test('a host that does not answer any more does not keep the app open', async () => {
  const { quit, ports, steps } = setUp()
  ports.liveRuns = () => Promise.reject(new Error('closed'))
  await quit.request()
  expect(steps).toEqual(['error: Error: closed', 'cleaned up: Weft was closed', 'ended'])
})

test('a clean-up that hangs is given up after ten seconds', async () => {
  vi.useFakeTimers()
  try {
    const { quit, ports, steps } = setUp()
    ports.cleanUp = () => new Promise(() => {})
    const request = quit.request()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(steps).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await request
    expect(steps).toEqual(['ended'])
  } finally {
    vi.useRealTimers()
  }
})
