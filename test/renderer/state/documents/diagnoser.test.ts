import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDiagnoser, type Diagnosis } from '../../../../src/renderer/state/documents/diagnoser.ts'
import { FakeHost } from '../../../support/renderer/fake-host.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function diagnoserOf(text: { value: string }) {
  const replies: ((diagnosis: Diagnosis) => void)[] = []
  const host = new FakeHost({ 'script.diagnose': () => new Promise((resolve) => replies.push(resolve)) })
  const shown: (string | undefined)[] = []
  const diagnoser = createDiagnoser({
    client: host,
    workspace: '/workspace',
    fileName: 'sample.js',
    getText: () => text.value,
    onDiagnosis: ({ meta }) => shown.push(meta?.name),
    onError: () => shown.push('error'),
  })
  return { host, diagnoser, replies, shown, asked: () => host.callsOf('script.diagnose') }
}

const named = (name: string): Diagnosis => ({ meta: { name, description: 'x' }, diagnostics: [] })

describe('the diagnoser', () => {
  it('asks once, within 150 ms of the last key, with the text as it is then', async () => {
    const text = { value: 'a' }
    const { diagnoser, asked } = diagnoserOf(text)
    diagnoser.request()
    await vi.advanceTimersByTimeAsync(50)
    text.value = 'ab'
    diagnoser.request()
    await vi.advanceTimersByTimeAsync(50)
    expect(asked()).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    expect(asked()).toEqual([{ text: 'ab', fileName: 'sample.js', workspace: '/workspace' }])
  })

  it('drops an answer that a newer question has overtaken', async () => {
    const { diagnoser, replies, shown } = diagnoserOf({ value: 'a' })
    diagnoser.requestNow()
    diagnoser.requestNow()
    replies[1]?.(named('second'))
    replies[0]?.(named('first'))
    await vi.advanceTimersByTimeAsync(0)
    expect(shown).toEqual(['second'])
  })

  it('drops an answer about a text that has been typed over since', async () => {
    const { diagnoser, replies, shown } = diagnoserOf({ value: 'a' })
    diagnoser.requestNow()
    diagnoser.request()
    replies[0]?.(named('stale'))
    await vi.advanceTimersByTimeAsync(0)
    expect(shown).toEqual([])
  })

  it('asks and tells nothing after it was disposed of', async () => {
    const { diagnoser, replies, shown, asked } = diagnoserOf({ value: 'a' })
    diagnoser.requestNow()
    diagnoser.request()
    diagnoser.dispose()
    replies[0]?.(named('late'))
    await vi.advanceTimersByTimeAsync(1000)
    expect({ shown, asked: asked().length }).toEqual({ shown: [], asked: 1 })
  })
})
