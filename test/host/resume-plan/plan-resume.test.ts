import { describe, expect, test, vi } from 'vitest'
import type { ResumePlan } from '../../../src/shared/index.ts'
import { executions, makeCountingHost, wishOf } from '../../support/host/counting.ts'

// Each agent is a process of its own, which starts slowly where many others run.
vi.setConfig({ testTimeout: 60_000 })

const fates = ({ calls }: ResumePlan) => calls.map(({ label, fate }) => [label, fate])

const BODY = (right: string, more = '') => `
  const a = await agent('first')
  const b = await parallel([
    async () => agent('left 2 ' + (await agent('left 1'))),
    async () => agent('right 2 ' + (await agent('${right}'${more}))),
  ])
  return agent('last ' + b.length)`

describe('the plan of a resume', () => {
  test('of an unchanged run replays all of it, and neither runs nor keeps anything', async () => {
    const { run, session, folders } = await makeCountingHost()
    const { runId } = await run(BODY('right 1'))
    const before = executions(folders)
    const plan = await session.call('run.resumePlan', { resumeFromRunId: runId })
    expect(plan).toMatchObject({
      resumes: runId,
      replays: 6,
      runs: 0,
      depends: 0,
      firstRun: null,
      replayedOutputTokens: 30,
      estimatedOutputTokens: 0,
      unused: 0,
      notes: [],
    })
    expect(executions(folders)).toEqual(before)
    expect((await session.call('run.list', {})).total).toBe(1)
  })

  test('says which calls run, what about the first of them differs, and what depends on it', async () => {
    const { run, resume, session, folders } = await makeCountingHost()
    const { runId } = await run(BODY('right 1 is a question'))
    const { source } = wishOf(folders, BODY('right 1 is another question', `, { label: 'R', effort: undefined }`))
    const params = { resumeFromRunId: runId, ...(source !== undefined && { source }) }
    const plan = await session.call('run.resumePlan', params)
    expect(fates(plan)).toEqual([
      ['first', 'replays'],
      ['left 1', 'replays'],
      ['R', 'runs'],
      [expect.stringContaining('left 2'), 'replays'],
      [expect.stringContaining('right 2'), 'depends'],
      ['last 2', 'depends'],
    ])
    const { firstRun } = plan
    expect(firstRun).toBe(3)
    expect(plan.calls[2]?.reason).toEqual({
      kind: 'changed',
      agent: 3,
      changes: [{ field: 'prompt', before: 'right 1 is a question', after: 'right 1 is another question' }],
    })
    expect(plan).toMatchObject({ replays: 3, runs: 1, depends: 2, unused: 3, replayedOutputTokens: 15 })
    expect(plan.notes.join('\n')).toMatch(/2 calls of this plan depend on answers[^]*3 finished calls/)
    // The plan is true.
    const { state } = await resume(runId, params)
    expect(state.calls).toMatchObject({ replayed: 3, completed: 3 })
  })

  test('names a changed option, a call that failed before, a new one, and one that moved', async () => {
    const { run, session, folders } = await makeCountingHost()
    const body = (second: string) =>
      `return await Promise.all([${second}].map(([prompt, options]) => agent(prompt, options)))`
    const schema = (type: string) => `{ schema: { type: '${type}' } }`
    const { runId } = await run(body(`['a', ${schema('string')}], ['FAIL'], ['moves']`))
    const { source } = wishOf(folders, body(`['moves'], ['a', ${schema('number')}], ['FAIL'], ['b']`))
    const plan = await session.call('run.resumePlan', {
      resumeFromRunId: runId,
      ...(source !== undefined && { source }),
    })
    expect(plan.calls.map(({ label, fate, reason, movedFrom }) => ({ label, fate, reason, movedFrom }))).toEqual([
      { label: 'moves', fate: 'replays', reason: undefined, movedFrom: '/agent:2' },
      {
        label: 'a',
        fate: 'runs',
        reason: {
          kind: 'changed',
          agent: 1,
          changes: [{ field: 'options.schema', before: '{"type":"string"}', after: '{"type":"number"}' }],
        },
        movedFrom: undefined,
      },
      {
        label: 'FAIL',
        fate: 'runs',
        reason: { kind: 'unfinished', agent: 2, status: 'failed', error: 'told to fail' },
        movedFrom: undefined,
      },
      { label: 'b', fate: 'runs', reason: { kind: 'new' }, movedFrom: undefined },
    ])
  })

  test('is refused as the resume would be', async () => {
    const { run, session } = await makeCountingHost()
    const { runId } = await run('return 1')
    await expect(session.call('run.resumePlan', { resumeFromRunId: runId })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('nothing to replay'),
    })
    await expect(session.call('run.resumePlan', { resumeFromRunId: 'NONE' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})
