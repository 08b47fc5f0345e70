import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUpdates, type UpdateSettings, type UpdatesPorts } from '../../../src/main/updates/updates.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const DAY = 24 * 3600_000

function setUp(mode: UpdateSettings['mode'], options: Partial<UpdatesPorts> & { newer?: string } = {}) {
  const steps: string[] = []
  const { newer, ...ports } = options
  const updates = createUpdates({
    unable: undefined,
    settings: async () => ({ mode, channel: 'beta' }),
    async load() {
      steps.push('loaded')
      return {
        async check(channel) {
          steps.push(`checked ${channel}`)
          return newer
        },
        download: async () => void steps.push('downloaded'),
      }
    },
    async ask(version) {
      steps.push(`asked about ${version}`)
      return true
    },
    tell: async (message) => void steps.push(message),
    onError: (error) => void steps.push(String(error)),
    ...ports,
  })
  return { updates, steps, days: (count: number) => vi.advanceTimersByTimeAsync(count * DAY) }
}

test('where settings say off nothing is loaded or looked for', async () => {
  const { updates, steps, days } = setUp('off', { newer: '2.0.0' })
  updates.start()
  await days(3)
  expect(steps).toEqual([])
})

test('a copy that can not update itself never looks, and says why when it is asked', async () => {
  const tell = vi.fn(async () => {})
  const { updates, steps, days } = setUp('auto', { newer: '2.0.0', unable: 'From sources.', tell })
  updates.start()
  await days(3)
  await updates.checkNow()
  expect(steps).toEqual([])
  expect(tell).toHaveBeenCalledWith('Weft does not update itself here.', 'From sources.')
})

test('by default a new version is told, and downloaded only when the user says so', async () => {
  const { updates, steps, days } = setUp('notify', { newer: '2.0.0' })
  updates.start()
  await days(0.5)
  expect(steps).toEqual(['loaded', 'checked beta', 'asked about 2.0.0', 'downloaded', 'Weft 2.0.0 is ready.'])
})

test('a version that was put off is not told again by itself, only when asked for', async () => {
  const asked: string[] = []
  const ask = async (version: string) => {
    asked.push(version)
    return false
  }
  const { updates, steps, days } = setUp('notify', { newer: '2.0.0', ask })
  updates.start()
  await days(5)
  expect(asked).toEqual(['2.0.0'])
  await updates.checkNow()
  expect(asked).toEqual(['2.0.0', '2.0.0'])
  expect(steps).not.toContain('downloaded')
})

test('the setting auto is the consent', async () => {
  const { updates, steps, days } = setUp('auto', { newer: '2.0.0' })
  updates.start()
  await days(0.5)
  expect(steps).toEqual(['loaded', 'checked beta', 'downloaded', 'Weft 2.0.0 is ready.'])
})

test('a user who asks is answered, with or without news', async () => {
  const { updates, steps } = setUp('off')
  await updates.checkNow()
  expect(steps).toEqual(['loaded', 'checked beta', 'Weft is up to date.'])
})

test('a check that fails by itself is only logged; one that was asked for is told', async () => {
  const load = () => Promise.reject(new Error('offline'))
  const { updates, steps, days } = setUp('notify', { load })
  const stop = updates.start()
  await days(0.5)
  expect(steps).toEqual(['Error: offline'])
  stop()
  await days(5)
  await updates.checkNow()
  expect(steps).toEqual(['Error: offline', 'Error: offline', 'No update could be looked for.'])
})
