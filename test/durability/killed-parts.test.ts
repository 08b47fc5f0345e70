// What a host is made of is killed or stopped, part by part: agents, a worker, the writer thread, the reaper, the host itself.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { followRun } from '../../src/cli/run/follow-run.ts'
import { connectHost, createHost, type HostOptions } from '../../src/host/index.ts'
import { asRunId } from '../../src/shared/index.ts'
import { processesWith } from '../support/app/processes.ts'
import { awaitEnd, runToEnd } from '../support/host/counting.ts'
import { bundledWorkers, hostOptions, makeHost, writeFileIn, type Folders } from '../support/host/make-host.ts'
import { createLogKeeper } from '../support/host/quiet-logger.ts'
import { waitUntil } from '../support/host/wait-until.ts'
import { watchRun } from '../support/host/watch-run.ts'
import {
  checkFolder,
  executedPaths,
  letOn,
  makeGatedFolders,
  nothingRuns,
  openGate,
  readAccounts,
  RESULT,
  startVictim,
  wishOf,
} from '../support/durability/victims.ts'

vi.setConfig({ testTimeout: 90_000 })

const ofHost = ({ home }: Folders) => processesWith(`HOME=${home}\0`)

test('an agent that is killed anywhere before its result is run once more, after it not at all', async () => {
  const folders = await makeGatedFolders()
  const command = ['/bin/sh', join(import.meta.dirname, '../support/durability/dying-agent.sh'), folders.root]
  const settings = { backends: { agent: { kind: 'command', protocol: 'jsonl', command } }, defaultBackend: 'agent' }
  await writeFileIn(folders.dataDir, 'settings.json', JSON.stringify(settings))
  const { session, host } = await makeHost({ folders })
  const prompts = ['EARLY', 'USAGE', 'MIDLINE', 'LATE', 'none']
  const body = `return [await parallel(${JSON.stringify(prompts)}.map((p) => () => agent(p))), budget.spent()]`
  const { runId, result } = await runToEnd(session, { ...wishOf(folders, body), maxConcurrentAgents: 5 })
  // Two of the attempts that failed had been paid for by then.
  expect(result).toEqual([prompts.map((prompt) => `${prompt}!`), 5 * 5 + 2 * 2])
  const { state } = await readAccounts(session, runId)
  expect(state.agents.map(({ attempt }) => attempt)).toEqual([2, 2, 2, 1, 1])
  expect(executedPaths(folders)).toHaveLength(8)
  const again = await runToEnd(session, { resumeFromRunId: runId })
  expect([again.result, again.state.calls.replayed, executedPaths(folders).length]).toEqual([result, 5, 8])
  await host.dispose('done')
  await nothingRuns(folders)
  checkFolder(folders)
})

test('a worker that has to be ended costs its own run, which can be resumed, and no other', async () => {
  const folders = await makeGatedFolders()
  const { session, host } = await makeHost({ folders })
  letOn(folders, '/agent:0')
  const looping = wishOf(folders, "await agent('a'); for (;;);")
  const stuck = await session.call('run.start', looping)
  const other = await session.call('run.start', wishOf(folders))
  const ended = await awaitEnd(session, asRunId(stuck.runId))
  expect(ended.state).toMatchObject({ status: 'error', error: { code: 'SCRIPT_STUCK' } })
  openGate(folders)
  expect((await awaitEnd(session, asRunId(other.runId))).result).toEqual(RESULT)
  const mended = wishOf(folders, "return await agent('a')")
  const again = await runToEnd(session, { ...mended, resumeFromRunId: stuck.runId })
  expect([again.result, again.state.calls.replayed]).toEqual(['a!', 1])
  await readAccounts(session, asRunId(stuck.runId))
  await host.dispose('done')
  checkFolder(folders)
})

test('a writer thread that dies ends the runs in words, and the next host goes on with them', async () => {
  const folders = await makeGatedFolders()
  const mark = join(folders.root, 'die')
  const workers = await bundledWorkers()
  const writer = join(folders.root, 'mortal-writer.cjs')
  const death = `setInterval(() => { if (require('node:fs').existsSync(${JSON.stringify(mark)})) throw new Error('killed') }, 10)`
  writeFileSync(writer, `require(${JSON.stringify(workers.writer)})\n${death}\n`)
  const { logger, entries } = createLogKeeper()
  const options: HostOptions = { ...hostOptions(folders, logger), workers: { ...workers, writer }, socket: false }
  const host = await createHost(options)
  const session = host.openSession({ kind: 'test', workspace: folders.workspace })
  const { runId } = await session.call('run.start', wishOf(folders))
  letOn(folders, '/agent:0')
  const watched = await watchRun(session, runId)
  await watched.until(({ calls, running }) => calls.completed === 1 && running === 5)
  const told = followRun(host.openSession({ kind: 'cli', workspace: folders.workspace }), runId, { onEvents: () => {} })
  writeFileSync(mark, '')
  await waitUntil('the death of the writer', () => entries.some(({ level }) => level === 'error'))
  openGate(folders)
  await expect(told).rejects.toThrow('writer thread ended by itself')
  await waitUntil('the end of the run', async () => (await session.call('host.status', {})).liveRuns === 0)
  expect((await session.call('run.get', { runId })).row.status).toBe('interrupted')
  await expect(session.call('run.start', wishOf(folders))).rejects.toThrow('writer thread ended by itself')
  await host.dispose('done')
  const next = await makeHost({ folders })
  const { finished } = await readAccounts(next.session, runId)
  expect(finished).toContain('/agent:0')
  const again = await runToEnd(next.session, { resumeFromRunId: runId })
  expect([again.result, again.state.calls.replayed]).toEqual([RESULT, finished.length])
  await next.host.dispose('done')
  checkFolder(folders)
})

test('a reaper that is killed together with its host leaves agents that the next host ends', async () => {
  const folders = await makeGatedFolders()
  const point = { params: wishOf(folders), results: 1, at: 'result', seed: 1, waits: true } as const
  const { child, gone } = await startVictim(folders, point)
  await waitUntil('the agents', () => executedPaths(folders).length === 6)
  const isAgent = ({ command }: { command: string }): boolean => command.includes('gated-agent')
  // The one that has answered may still be on its way out.
  await waitUntil('five agents', () => ofHost(folders).filter(isAgent).length === 5)
  // The host has the reaper's file among its arguments.
  const reaper = ofHost(folders).find(({ pid, command }) => pid !== child.pid && command.includes('reaper'))
  expect(reaper).toBeDefined()
  // Stopped first, so that it can't replace its reaper.
  child.kill('SIGSTOP')
  process.kill(reaper?.pid ?? 0, 'SIGKILL')
  child.kill('SIGKILL')
  const runId = asRunId(await gone)
  expect(ofHost(folders).length).toBeGreaterThanOrEqual(5)
  const { session, host, entries } = await makeHost({ folders, socket: true })
  await nothingRuns(folders)
  expect(entries.map(({ message }) => message)).toContain(
    '5 agents of a dead host were still at work and have been ended',
  )
  openGate(folders)
  const again = await runToEnd(session, { resumeFromRunId: runId })
  expect([again.result, again.state.calls.replayed]).toEqual([RESULT, 1])
  await host.dispose('done')
  checkFolder(folders)
})

test('a host that is stopped keeps its folder, goes on when it may, and is followed by another once it is dead', async () => {
  const folders = await makeGatedFolders()
  const point = { params: wishOf(folders), results: 1, at: 'result', seed: 1, waits: true } as const
  const { child, gone } = await startVictim(folders, point)
  await waitUntil('the agents', () => executedPaths(folders).length === 6)
  child.kill('SIGSTOP')
  await expect(makeHost({ folders })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(`pid ${child.pid ?? ''}`),
  })
  child.kill('SIGCONT')
  const client = await connectHost(folders.dataDir, { kind: 'cli', workspace: folders.workspace })
  onTestFinished(() => client.close())
  expect((await client.call('run.list', {})).runs).toMatchObject([{ status: 'running' }])
  child.kill('SIGKILL')
  const runId = await gone
  await client.closed
  // What it had announced says nothing about the living.
  expect(readFileSync(join(folders.dataDir, 'owner.json'), 'utf8')).toContain(String(child.pid))
  const { session, host } = await makeHost({ folders, socket: true })
  expect((await session.call('run.get', { runId })).row.status).toBe('interrupted')
  await nothingRuns(folders)
  await host.dispose('done')
  checkFolder(folders)
})
