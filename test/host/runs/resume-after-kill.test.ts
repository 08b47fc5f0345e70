import { spawn } from 'node:child_process'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { asRunId, type RunId } from '../../../src/shared/index.ts'
import {
  executions,
  makeCountingFolders,
  makeCountingHost,
  takeExecutions,
  wishOf,
  type CountingHost,
} from '../../support/host/counting.ts'
import type { Folders } from '../../support/host/make-host.ts'

// Every host is a process that starts from the sources.
vi.setConfig({ testTimeout: 180_000 })

const BODY = `
  const a = await agent('a')
  const b = await parallel(['b', 'c', 'd'].map((name) => () => agent('SHUFFLE ' + name + a)))
  const e = await pipeline(['e'], (name) => agent(name + b.length), (found) => agent('f ' + found))
  return [a, b, e, await agent('g'), budget.spent()]`

const RESULT = ['a!', ['SHUFFLE ba!!', 'SHUFFLE ca!!', 'SHUFFLE da!!'], ['f e3!!'], 'g!', 35]

/** Runs in a process that is killed once so many calls were answered live. */
async function runUntilKilled(folders: Folders, params: object, answers: number): Promise<RunId> {
  const file = new URL('../../support/host/kill-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [file, JSON.stringify(folders), JSON.stringify(params), String(answers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let runId = ''
  child.stdout.on('data', (chunk) => (runId += String(chunk)))
  const signal = await new Promise((resolve) => child.once('close', (_code, how) => resolve(how)))
  expect(signal).toBe('SIGKILL')
  return asRunId(runId)
}

/** Prompts of the calls that this run answered live. */
async function finishedIn({ session }: CountingHost, runId: RunId): Promise<string[]> {
  const { events } = await session.call('run.events', { runId, fromSeq: 1, limit: 10_000 })
  const done = events.flatMap((event) =>
    event.type === 'agent-ended' && event.outcome === 'completed' ? event.agent : [],
  )
  return Promise.all(done.map(async (agent) => (await session.call('run.call', { runId, agent })).prompt))
}

describe('a host that is killed', () => {
  test.each([1, 2, 3, 4, 5, 6])('after %d results loses none of them', async (answers) => {
    const folders = await makeCountingFolders()
    const runId = await runUntilKilled(folders, wishOf(folders, BODY), answers)
    const made = await makeCountingHost(folders)
    const { row } = await made.session.call('run.get', { runId })
    expect(row).toMatchObject({ status: 'interrupted', endedAt: expect.any(Number) })
    const { calls } = row
    expect(calls.completed + calls.cancelled + calls.failed).toBe(row.agents)
    const finished = await finishedIn(made, runId)
    expect(finished.length).toBeGreaterThanOrEqual(answers)
    takeExecutions(folders)
    const { result, state } = await made.resume(runId)
    expect(result).toEqual(RESULT)
    expect(state.calls).toMatchObject({ replayed: finished.length, completed: 7 - finished.length })
    const again = takeExecutions(folders)
    expect(again).toHaveLength(7 - finished.length)
    expect(again.filter((prompt) => finished.includes(prompt))).toEqual([])
  })

  test('three times in a row pays for no result twice', async () => {
    const folders = await makeCountingFolders()
    const runs: RunId[] = []
    // What had been executed when each of them was killed.
    const executed: number[] = []
    for (const answers of [2, 1, 1]) {
      const params = runs.length === 0 ? wishOf(folders, BODY) : { resumeFromRunId: runs.at(-1) }
      // Each goes on from the one before.
      // oxlint-disable-next-line no-await-in-loop
      runs.push(await runUntilKilled(folders, params, answers))
      executed.push(executions(folders).length)
    }
    const made = await makeCountingHost(folders)
    const last = await made.resume(runs.at(-1)!)
    expect(last.result).toEqual(RESULT)
    expect(last.state.info?.lineage).toBe(runs[0])
    const finished = await Promise.all([...runs, last.runId].map((runId) => finishedIn(made, runId)))
    expect(finished.flat()).toHaveLength(7)
    expect(new Set(finished.flat()).size).toBe(7)
    // A call that was under way at a kill may run again, known to the log or not yet; one that had finished may not.
    const all = executions(folders)
    for (const [index, count] of executed.entries())
      expect(all.slice(count).filter((prompt) => finished[index]!.includes(prompt))).toEqual([])
  })

  test('leaves a run that nothing has to be stopped of, beside which another can start', async () => {
    const folders = await makeCountingFolders()
    const runId = await runUntilKilled(folders, wishOf(folders, BODY), 1)
    const { session, run } = await makeCountingHost(folders)
    for (const call of ['run.cancel', 'run.pause', 'run.continue'] as const)
      await expect(session.call(call, { runId })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: `Run ${runId} has ended already: interrupted`,
      })
    const other = await run(BODY)
    expect(other.result).toEqual(RESULT)
    const { runs } = await session.call('run.list', {})
    expect(runs.map((row) => [row.runId, row.status])).toEqual([
      [other.runId, 'completed'],
      [runId, 'interrupted'],
    ])
  })
})
