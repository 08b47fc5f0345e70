import { describe, expect, test } from 'vitest'
import { planDryRun, type PlanContext } from '../../../src/host/dry-run/plan.ts'
import { asAgentNumber, asCallPath } from '../../../src/shared/index.ts'
import { EventLog } from '../../support/host/events.ts'
import { RUN_ID } from '../../support/shared/events.ts'

const context: PlanContext = { callSites: [], nested: new Map(), basis: 'default', runs: 0 }

const site = (line: number, hook: 'agent' | 'workflow' = 'agent') => ({
  hook,
  line,
  column: 7,
  endLine: line,
  endColumn: 20,
})

const chain = (log: EventLog) => planDryRun(log.events, context).longestPath.map(({ agent }) => agent)

describe('the plan of a dry run', () => {
  test('tells spans, concurrency, path and estimate relative to the start', () => {
    const log = new EventLog()
      .start(1000)
      .add(1000, 'phase-started', { title: 'Find', group: 0 })
      .queue(1000, 1, { phase: 'Find', path: '/parallel:0/branch:0/agent:0' })
      .queue(1000, 2, { phase: 'Find', path: '/parallel:0/branch:1/agent:0' })
      .begin(1000, 1)
      .begin(1000, 2)
      .finish(1100, 1)
      .finish(1300, 2)
      .add(1300, 'phase-started', { title: 'Write', group: 0 })
      .queue(1300, 3, { phase: 'Write' })
      .begin(1300, 3)
      .finish(1350, 3)
      .end(1350)
    expect(planDryRun(log.events, context)).toEqual({
      phases: [
        { title: 'Find', group: 0, agents: 2, startMs: 0, endMs: 300 },
        { title: 'Write', group: 0, agents: 1, startMs: 300, endMs: 350 },
      ],
      peakConcurrency: 2,
      longestPath: [
        { agent: 2, label: 'agent 2', startMs: 0, endMs: 300 },
        { agent: 3, label: 'agent 3', startMs: 300, endMs: 350 },
      ],
      estimate: { wallClockMs: 350, outputTokens: 30, inputTokens: 15, costUsd: null, basis: 'default', runs: 0 },
      unreached: [],
    })
  })

  test('of a run without agents is empty', () => {
    expect(planDryRun(new EventLog().start().end(0).events, context)).toMatchObject({
      phases: [],
      peakConcurrency: 0,
      longestPath: [],
      estimate: { wallClockMs: 0, outputTokens: 0 },
    })
  })

  test('keeps agents before the first phase and those of nested workflows apart', () => {
    const log = new EventLog().start().queue(0, 1).begin(0, 1).finish(5, 1)
    log.queue(5, 2, { phase: 'P', group: 1 }).begin(5, 2).finish(9, 2)
    log.queue(9, 3, { phase: 'P' }).begin(9, 3).finish(10, 3).end(10)
    expect(planDryRun(log.events, context).phases).toEqual([
      { title: null, group: 0, agents: 1, startMs: 0, endMs: 5 },
      { title: 'P', group: 1, agents: 1, startMs: 5, endMs: 9 },
      { title: 'P', group: 0, agents: 1, startMs: 9, endMs: 10 },
    ])
  })

  test('does not count an end and a start of the same instant as two at once', () => {
    const log = new EventLog().start().queue(0, 1).begin(0, 1).finish(5, 1).queue(5, 2).begin(5, 2).finish(9, 2).end(9)
    expect(planDryRun(log.events, context).peakConcurrency).toBe(1)
  })

  test('lists the call sites that no event names', () => {
    const log = new EventLog().start().queue(0, 1, { line: 3 }).begin(0, 1).finish(5, 1)
    log.queue(5, 2, { line: 9, group: 1 }).begin(5, 2).finish(6, 2).end(6)
    const plan = planDryRun(log.events, {
      ...context,
      callSites: [site(3, 'agent'), site(9, 'agent'), site(12, 'workflow')],
    })
    expect(plan.unreached).toEqual([
      { what: 'agent', line: 9, column: 7, endLine: 9, endColumn: 20 },
      { what: 'workflow', line: 12, column: 7, endLine: 12, endColumn: 20 },
    ])
  })
})

describe('call sites of nested workflows', () => {
  const start = (log: EventLog, group: number, line: number) =>
    log.add(1, 'workflow-started', {
      group,
      name: 'inner',
      path: asCallPath(`/workflow:${group - 1}`),
      fileName: 'inner.js',
      site: { line, column: 7 },
    })

  test('are listed with their file, once for all calls of it, and apart from the same places elsewhere', () => {
    const log = new EventLog().start()
    start(log, 1, 3).queue(1, 1, { line: 2, group: 1 }).begin(1, 1).finish(2, 1)
    start(log, 2, 4).queue(2, 2, { line: 9, group: 2 }).begin(2, 2).finish(3, 2)
    start(log, 3, 4).queue(3, 3, { line: 5, group: 3 }).begin(3, 3).finish(4, 3).end(4)
    const inner = { file: '/w/inner.js', callSites: [site(2), site(5), site(9)] }
    const other = { file: '/w/other.js', callSites: [site(2), site(5)] }
    const { unreached } = planDryRun(log.events, {
      ...context,
      callSites: [site(2), site(3, 'workflow'), site(4, 'workflow')],
      nested: new Map([
        [1, inner],
        [2, inner],
        [3, other],
      ]),
    })
    expect(unreached.map(({ what, file, line }) => [what, file, line])).toEqual([
      ['agent', undefined, 2],
      ['agent', '/w/inner.js', 5],
      ['agent', '/w/other.js', 2],
    ])
  })
})

test('a plan tells what agents asked leave for, and whence answers came', () => {
  const agent = asAgentNumber(1)
  const log = new EventLog().start().queue(0, 1).begin(0, 1)
  log.add(1, 'permission-asked', { agent, request: '1.1', title: 'Run rm', options: ['allow-once', 'reject'] })
  log.add(1, 'permission-answered', { agent, request: '1.1', answer: 'allow-once', by: 'policy' }).finish(2, 1).end(2)
  const answers = { fromRun: RUN_ID, calls: 1 }
  expect(planDryRun(log.events, { ...context, answers })).toMatchObject({
    permissions: [{ agent: 1, label: 'agent 1', title: 'Run rm', answer: 'allow-once' }],
    answers,
  })
})

describe('the longest path', () => {
  test('follows a queued call to the one that gave its permit back', () => {
    const log = new EventLog().start().queue(0, 1).queue(0, 2).queue(0, 3)
    log.begin(0, 1).begin(0, 2).finish(10, 2).begin(10, 3).finish(12, 1).finish(30, 3).end(30)
    expect(chain(log)).toEqual([2, 3])
  })

  test('stays within the item of a pipeline when several calls end at once', () => {
    const at = (item: number, stage: number) => `/pipeline:0/item:${item}/agent:${stage}`
    const log = new EventLog().start()
    log
      .queue(0, 1, { path: at(0, 0) })
      .queue(0, 2, { path: at(1, 0) })
      .begin(0, 1)
      .begin(0, 2)
    log
      .finish(10, 1)
      .queue(10, 3, { path: at(0, 1) })
      .begin(10, 3)
    log
      .finish(10, 2)
      .queue(10, 4, { path: at(1, 1) })
      .begin(10, 4)
    log.finish(15, 4).finish(20, 3).end(20)
    expect(chain(log)).toEqual([1, 3])
  })

  test('takes the last of a barrier', () => {
    const log = new EventLog().start().queue(0, 1).queue(0, 2).queue(0, 3).begin(0, 1).begin(0, 2).begin(0, 3)
    log.finish(1, 3).finish(2, 1).finish(7, 2).queue(7, 4).begin(7, 4).finish(8, 4).end(8)
    expect(chain(log)).toEqual([2, 4])
  })
})
