import { expect, test } from 'vitest'
import type { JournalRow } from '../../../src/engine/index.ts'
import { RecordedAnswers } from '../../../src/host/dry-run/recorded-answers.ts'
import { asAgentNumber, asCallKey, asCallPath, asRunId } from '../../../src/shared/index.ts'

const RUN = asRunId('RUN1')
const MADE_UP = asRunId('RUN0')

const call = (agent: number, path: string, key = 'k') => ({
  agent: asAgentNumber(agent),
  path: asCallPath(path),
  key: asCallKey(key),
})

const row = (agent: number, path: string, rest: Partial<JournalRow> = {}): JournalRow => ({
  ...call(agent, path),
  outcome: 'completed',
  result: `of ${path}`,
  usage: { outputTokens: agent },
  durationMs: agent * 100,
  startedSeq: agent,
  origin: RUN,
  ...rest,
})

const record = (...rows: JournalRow[]) => new RecordedAnswers(RUN, rows, (origin) => origin === MADE_UP)

test('a call gets the answer to the same call at its place, with what it took', () => {
  const answers = record(row(1, '/agent:0'), row(2, '/agent:1'))
  expect(answers.find(call(1, '/agent:1'))).toEqual({
    output: 'of /agent:1',
    durationMs: 200,
    usage: { outputTokens: 2 },
  })
  expect(answers.find(call(2, '/agent:0', 'another'))).toBeUndefined()
  expect([answers.calls, answers.timed]).toEqual([1, true])
})

test('calls that moved get the answers of their kind in order, the last one serving for all that are left', () => {
  const answers = record(row(1, '/agent:0'), row(2, '/agent:1'))
  const outputs = [5, 6, 7].map((agent) => answers.find(call(agent, `/parallel:0/branch:${agent}/agent:0`))?.output)
  expect(outputs).toEqual(['of /agent:0', 'of /agent:1', 'of /agent:1'])
})

test('another attempt of a call gets the same answer and does not count again', () => {
  const answers = record(row(1, '/agent:0'), row(2, '/agent:1'))
  const moved = call(9, '/workflow:0/agent:0')
  expect(answers.find(moved)).toEqual(answers.find(moved))
  expect(answers.calls).toBe(1)
})

test('what a simulated call took is not taken for what a real one takes', () => {
  const answers = record(row(1, '/agent:0', { origin: MADE_UP }), row(2, '/agent:1', { usage: null }))
  expect(answers.find(call(1, '/agent:0'))).toEqual({ output: 'of /agent:0' })
  expect(answers.timed).toBe(false)
  expect(answers.find(call(2, '/agent:1'))).toEqual({ output: 'of /agent:1', durationMs: 200 })
})
