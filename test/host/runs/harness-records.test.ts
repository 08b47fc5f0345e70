import { describe, expect, test } from 'vitest'
import { asAgentNumber, asRunId, HarnessRecordCheck, type HarnessFact } from '../../../src/shared/index.ts'
import { HarnessRecords } from '../../../src/host/runs/harness-records.ts'
import { createLogKeeper } from '../../support/host/quiet-logger.ts'
import { EventLog } from '../../support/host/events.ts'

const runId = asRunId('run')
const identity = { kind: 'harness', name: 'codex', workspace: '/w', session: 'secret/1' } as const

function keep(write: (facts: readonly HarnessFact[]) => Promise<void>) {
  const { logger, entries } = createLogKeeper()
  const written: { session: string; firstSeq: number; facts: readonly HarnessFact[] }[] = []
  const records = new HarnessRecords(
    {
      appendHarnessFacts(_runId, session, firstSeq, facts) {
        written.push({ session, firstSeq, facts })
        return write(facts)
      },
    },
    logger,
  )
  return { records, written, entries }
}

describe("the record of a harness's run", () => {
  test('holds four kinds of facts, by its session, the end last and only when all is cleaned up', async () => {
    const { records, written } = keep(() => Promise.resolve())
    const { events } = new EventLog().start(1).queue(2, 1).begin(3, 1).finish(4, 1).end(5)
    records.begin(runId, identity)
    records.follow(runId, events)
    expect(written.flatMap(({ facts }) => facts.map(({ fact }) => fact))).toEqual([
      'run-start',
      'member-start',
      'member-end',
    ])
    await records.end(runId)
    expect(written.at(-1)).toEqual({
      session: 'secret',
      firstSeq: 4,
      facts: [{ fact: 'run-end', outcome: 'completed', at: 5 }],
    })
  })

  test('stops with one warning when it can not be written, and throws at nobody', async () => {
    const { records, written, entries } = keep(() => Promise.reject(new Error('the disk is full')))
    const { events } = new EventLog().start(1).queue(2, 1).begin(3, 1).finish(4, 1).end(5)
    records.begin(runId, identity)
    records.follow(runId, events.slice(0, 1))
    await Promise.resolve()
    await Promise.resolve()
    records.follow(runId, events.slice(1))
    await records.end(runId)
    expect(written).toHaveLength(1)
    expect(entries.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })

  test('is kept of nobody else', async () => {
    const { records, written } = keep(() => Promise.resolve())
    records.begin(runId, { kind: 'cli', workspace: '/w' })
    records.follow(runId, new EventLog().start(1).events)
    await records.end(runId)
    expect(written).toEqual([])
  })
})

test('facts that can not be are refused', () => {
  const start: HarnessFact = { fact: 'run-start', runId, workflow: 'a', clientName: null, at: 1 }
  const member = asAgentNumber(1)
  const begin: HarnessFact = { fact: 'member-start', member, label: 'a', under: null, at: 2 }
  const done: HarnessFact = { fact: 'member-end', member, outcome: 'completed', at: 3 }
  const end: HarnessFact = { fact: 'run-end', outcome: 'completed', at: 4 }
  const judge = (...facts: HarnessFact[]): (string | undefined)[] => {
    const check = new HarnessRecordCheck()
    return facts.map((fact) => check.push(fact))
  }
  expect(judge(start, begin, done, end)).toEqual([undefined, undefined, undefined, undefined])
  expect(judge(begin)).toEqual(['the first fact has to be run-start'])
  expect(judge(start, start)[1]).toBe('the run has started already')
  expect(judge(start, { ...begin, member: asAgentNumber(0) })[1]).toBe('member 0 is not a positive integer')
  expect(judge(start, begin, begin)[2]).toBe('member 1 has started already')
  expect(judge(start, done)[1]).toBe('member 1 never started')
  expect(judge(start, begin, done, done)[3]).toBe('member 1 has ended already')
  expect(judge(start, begin, end)[2]).toBe('1 members are still open')
  expect(judge(start, end, begin)[2]).toBe('nothing may follow run-end')
})
