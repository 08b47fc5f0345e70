import { describe, expect, test, vi } from 'vitest'
import { asRunId } from '../../../src/shared/index.ts'
import { awaitEnd, leaveMark, makeCountingHost, takeExecutions, wishOf } from '../../support/host/counting.ts'
import { watchRun } from '../../support/host/watch-run.ts'

// Each agent is a process of its own, which starts slowly where many others run.
vi.setConfig({ testTimeout: 60_000 })

const EACH = `return await parallel(['HOLD a', 'b', 'c'].map((prompt) => () => agent(prompt)))`

describe('pausing a run', () => {
  test('lets those that run go on and nobody else begin, until it is continued', async () => {
    const { session, folders } = await makeCountingHost()
    const { runId } = await session.call('run.start', { ...wishOf(folders, EACH), maxConcurrentAgents: 1 })
    const watched = await watchRun(session, runId)
    await watched.until((state) => state.running === 1)
    await session.call('run.pause', { runId, reason: 'lunch' })
    const paused = await session.call('run.get', { runId })
    expect(paused.row.status).toBe('paused')
    leaveMark(folders, 'open')
    const state = await watched.until(({ calls }) => calls.completed === 1)
    expect([state.paused, state.running, state.queued]).toEqual([{ by: 'user', reason: 'lunch' }, 0, 2])
    await session.call('run.continue', { runId })
    const { result } = await awaitEnd(session, runId)
    expect(result).toEqual(['HOLD a!', 'b!', 'c!'])
    expect(takeExecutions(folders)).toEqual(['HOLD a', 'b', 'c'])
  })

  test('is refused in words when there is nothing to pause or to continue', async () => {
    const { session, folders, run } = await makeCountingHost()
    const { runId } = await run('return 1')
    for (const call of ['run.pause', 'run.continue', 'run.cancel'] as const)
      await expect(session.call(call, { runId })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: `Run ${runId} has ended already: completed`,
      })
    await expect(session.call('run.pause', { runId: asRunId('NONE') })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const live = await session.call('run.start', wishOf(folders, EACH))
    await expect(session.call('run.continue', live)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Run ${live.runId} is not paused: running`,
    })
  })
})

describe('acting on one agent', () => {
  test('makes a skipped or stopped one null to the script, and starts a retried one again', async () => {
    const { session, folders } = await makeCountingHost()
    const { runId } = await session.call(
      'run.start',
      wishOf(folders, `return await parallel(['HOLD a', 'HOLD b', 'HOLD c'].map((prompt) => () => agent(prompt)))`),
    )
    const watched = await watchRun(session, runId)
    await watched.until((state) => state.running === 3)
    await session.call('run.agent', { runId, agent: 1, action: 'skip' })
    await session.call('run.agent', { runId, agent: 2, action: 'stop' })
    await session.call('run.agent', { runId, agent: 3, action: 'retry' })
    await watched.until(({ agents }) => agents[2]?.attempt === 2)
    leaveMark(folders, 'open')
    const { result, state } = await awaitEnd(session, runId)
    expect(result).toEqual([null, null, 'HOLD c!'])
    expect(state.agents.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['skipped', 1],
      ['cancelled', 1],
      ['completed', 2],
    ])
  })

  test('answers in words when the agent has ended, has not begun or was never called', async () => {
    const { session, folders } = await makeCountingHost()
    const body = `await agent('first'); return await parallel(['HOLD a', 'b'].map((prompt) => () => agent(prompt)))`
    const { runId } = await session.call('run.start', { ...wishOf(folders, body), maxConcurrentAgents: 1 })
    const watched = await watchRun(session, runId)
    await watched.until(({ running, queued, agents }) => agents.length === 3 && running === 1 && queued === 1)
    const act = (agent: number, action: 'skip' | 'retry' | 'stop') =>
      session.call('run.agent', { runId, agent, action })
    await expect(act(1, 'skip')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Agent 1 of run ${runId} has ended already: completed`,
    })
    await expect(act(3, 'retry')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('has not begun yet'),
    })
    await expect(act(4, 'stop')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('has called no agent 4 so far'),
    })
    await act(3, 'skip')
    leaveMark(folders, 'open')
    expect((await awaitEnd(session, runId)).result).toEqual(['HOLD a!', null])
    await expect(act(2, 'skip')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^Run .* has ended already/),
    })
  })
})
