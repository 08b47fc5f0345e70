import { describe, expect, test, vi } from 'vitest'
import { asRunId, type AgentState } from '../../../src/shared/index.ts'
import { leaveMark, makeCountingHost, takeExecutions, wishOf } from '../../support/host/counting.ts'
import { writeFileIn } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { watchRun } from '../../support/host/watch-run.ts'

// Each agent is a process of its own, which starts slowly where many others run.
vi.setConfig({ testTimeout: 120_000 })

describe('a resumed run', () => {
  test('can do without the args and the budget of the earlier one', async () => {
    const { run, resume } = await makeCountingHost()
    const first = await run("await agent('a'); return [args ?? 'no args', budget.total]", {
      args: 5,
      budgetTokens: 500,
    })
    expect(first.result).toEqual([5, 500])
    const again = await resume(first.runId, { without: ['args', 'budget'] })
    expect(again.result).toEqual(['no args', null])
    expect(again.state.info).not.toHaveProperty('args')
    const other = await resume(again.runId, { args: 6, budgetTokens: 700, without: ['args', 'budget'] })
    expect(other.result).toEqual([6, 700])
  })

  test('never goes on from a dry run, whose answers are made up', async () => {
    const { run, session } = await makeCountingHost()
    const { runId } = await run("return await agent('a')")
    const { text } = await session.call('run.export', { runId, format: 'jsonl' })
    const dry = await session.call('run.import', { text: text.replace('"dry":false', '"dry":true'), last: true })
    for (const call of ['run.start', 'run.resumePlan'] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other says which one it was
      await expect(session.call(call, { resumeFromRunId: String(dry.runId) })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: `Run ${dry.runId} can't be resumed: it was a dry run, whose answers are made up`,
      })
    }
  })

  test('takes script, args, back end, budget and workspace from the earlier one, and may have others', async () => {
    const { run, resume, folders, session } = await makeCountingHost()
    const body = `const a = await agent('a ' + args.n); return [a, args, budget.total, budget.spent()]`
    const first = await run(body, { args: { n: 1 }, budgetTokens: 500, maxAgents: 7, title: 'A title' })
    takeExecutions(folders)
    const again = await resume(first.runId)
    expect(again.result).toEqual(first.result)
    expect(takeExecutions(folders)).toEqual([])
    expect(again.state.info).toMatchObject({
      resumedFrom: first.runId,
      lineage: first.runId,
      backend: 'agent',
      budgetTokens: 500,
      maxAgents: 7,
      title: 'A title',
      workspace: folders.workspace,
      fileName: 'test.js',
      simulated: false,
    })
    const { row } = await session.call('run.get', { runId: again.runId })
    expect(row).toMatchObject({ resumedFrom: first.runId, outputTokens: 0, calls: { replayed: 1, completed: 0 } })
    const other = await resume(again.runId, { args: { n: 2 }, budgetTokens: 900, backend: 'simulated' })
    expect(other.state.info).toMatchObject({ resumedFrom: again.runId, lineage: first.runId, backend: 'simulated' })
    expect(other.result).toMatchObject([expect.any(String), { n: 2 }, 900, expect.any(Number)])
    expect(other.state.info?.simulated).toBe(true)
    const back = await resume(other.runId, { backend: 'agent' })
    expect([back.state.agentsStarted, back.state.info?.simulated]).toEqual([0, true])
  })

  test('uses the text of then where the file has changed, and says so, unless it is given the file', async () => {
    const { resume, folders, session } = await makeCountingHost()
    const path = await writeFileIn(folders.workspace, 'flow.js', script('flow', `return await agent('old')`))
    const { workspace } = folders
    const { runId } = await session.call('run.start', { workspace, source: { kind: 'path', path } })
    await (
      await watchRun(session, runId)
    ).ended
    const unchanged = await resume(runId)
    expect([unchanged.result, unchanged.state.warnings]).toEqual(['old!', []])
    await writeFileIn(workspace, 'flow.js', script('flow', `return await agent('new')`))
    const kept = await resume(runId)
    expect([kept.result, kept.state.warnings.map(({ code }) => code)]).toEqual(['old!', ['resume/script-changed']])
    expect(kept.state.info?.scriptPath).toBe(path)
    const edited = await resume(runId, { source: { kind: 'path', path } })
    expect([edited.result, edited.state.warnings]).toEqual(['new!', []])
  })

  test('is refused in words when it has nothing to go on from', async () => {
    const { run, resume, session, folders } = await makeCountingHost()
    await expect(resume(asRunId('01NONE'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no run 01NONE to resume',
    })
    const empty = await run('return 1')
    await expect(resume(empty.runId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('nothing to replay'),
    })
    const failed = await run(`return await agent('FAIL')`)
    await expect(resume(failed.runId)).rejects.toMatchObject({ code: 'CONFLICT' })
    const live = await session.call('run.start', wishOf(folders, `await agent('a'); return await agent('HOLD')`))
    await (await watchRun(session, live.runId)).until((state) => state.calls.completed === 1)
    await expect(resume(live.runId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Run ${live.runId} can't be resumed: it is still running. Let it end, or cancel it first`,
    })
    await expect(session.call('run.start', {})).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      violations: ['workspace is missing', 'source is missing'],
    })
  })
})

describe('what was paid for', () => {
  test('is not run again after a fan-out whose agents ended in another order', async () => {
    const { run, resume, folders } = await makeCountingHost()
    const body = `
      const fan = await parallel(['a', 'b', 'c'].map((n) => async () => agent('SHUFFLE two ' + (await agent('SHUFFLE ' + n)))))
      const bare = await Promise.all(['x', 'y', 'z'].map(async (n) => agent('SHUFFLE then ' + (await agent('SHUFFLE ' + n)))))
      return [fan, bare, await agent('end')]`
    const first = await run(body)
    expect(takeExecutions(folders)).toHaveLength(13)
    let last = first
    for (let times = 0; times < 3; times++) {
      // Each resumes the one before it.
      // oxlint-disable-next-line no-await-in-loop
      last = await resume(last.runId)
      expect([last.result, takeExecutions(folders)]).toEqual([first.result, []])
    }
    expect(last.state.info?.lineage).toBe(first.runId)
  })

  test('stays when others failed: exactly those run again', async () => {
    const { run, resume, folders } = await makeCountingHost()
    const body = `return await parallel(Array.from({ length: 12 }, (_, i) => () => agent((i % 6 === 4 ? 'FAIL ' : '') + i)))`
    const first = await run(body)
    expect(first.state).toMatchObject({ degraded: true, calls: { completed: 10, failed: 2 } })
    takeExecutions(folders)
    leaveMark(folders, 'mended')
    const again = await resume(first.runId)
    expect(takeExecutions(folders)).toEqual(['FAIL 10', 'FAIL 4'])
    expect(again.state).toMatchObject({ degraded: false, calls: { completed: 2, replayed: 10 } })
  })

  test('by an agent that died and was started again has one key', async () => {
    const { run, resume, folders } = await makeCountingHost()
    const first = await run(`return await agent('DIE once')`)
    expect([first.result, takeExecutions(folders)]).toEqual(['DIE once!', ['DIE once', 'DIE once']])
    const again = await resume(first.runId)
    expect([again.result, takeExecutions(folders)]).toEqual(['DIE once!', []])
  })

  test('stays when the run is cancelled', async () => {
    const { session, folders, resume } = await makeCountingHost()
    const body = `return await parallel(Array.from({ length: 10 }, (_, i) => () => agent((i < 5 ? '' : 'HOLD ') + i)))`
    const { runId } = await session.call('run.start', { ...wishOf(folders, body), maxConcurrentAgents: 10 })
    const watched = await watchRun(session, runId)
    await watched.until(({ calls, running }) => calls.completed === 5 && running === 5)
    await session.call('run.cancel', { runId })
    const { calls, agents } = await watched.ended
    expect([calls.completed + calls.failed + calls.cancelled, agents.length]).toEqual([10, 10])
    takeExecutions(folders)
    leaveMark(folders, 'open')
    const again = await resume(runId)
    expect(takeExecutions(folders)).toEqual(['HOLD 5', 'HOLD 6', 'HOLD 7', 'HOLD 8', 'HOLD 9'])
    expect(again.result).toEqual(['0!', '1!', '2!', '3!', '4!', 'HOLD 5!', 'HOLD 6!', 'HOLD 7!', 'HOLD 8!', 'HOLD 9!'])
  })

  test('stays when the quota is gone: those in flight wait, the rest never began, and continuing finishes all', async () => {
    const { session, folders } = await makeCountingHost()
    const body = `return await parallel(Array.from({ length: 20 }, (_, i) => () => agent((i < 2 ? '' : 'QUOTA ') + i)))`
    const { runId } = await session.call('run.start', wishOf(folders, body))
    const watched = await watchRun(session, runId)
    // Those that met the limit are open still, each with an attempt that failed.
    const isWaiting = ({ status, failedAttempts }: AgentState): boolean =>
      status !== 'running' || failedAttempts.length > 0
    const paused = await watched.until(({ status, agents }) => status === 'paused' && agents.every(isWaiting))
    expect(paused.paused).toMatchObject({ by: 'limit', reason: expect.stringContaining('no credit left') })
    expect(paused.calls).toMatchObject({ completed: 2, failed: 0 })
    expect(takeExecutions(folders).length).toBeLessThanOrEqual(2 + 4)
    leaveMark(folders, 'mended')
    await session.call('run.continue', { runId })
    const ended = await watched.ended
    expect(ended).toMatchObject({ status: 'completed', degraded: false, calls: { completed: 20 } })
  })

  test('survives being told to slow down: all six answer', async () => {
    const { run } = await makeCountingHost()
    const body = `return (await parallel(Array.from({ length: 6 }, (_, i) => () => agent((i < 5 ? 'BUSY ' : '') + i)))).length`
    const { result, state } = await run(body)
    expect(result).toBe(6)
    expect(state).toMatchObject({ degraded: false, calls: { completed: 6, failed: 0 } })
  })
})
