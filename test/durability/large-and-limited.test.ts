// Results of a hundred megabytes, and a quota that is gone in the middle of a fan-out, through a host and its socket.

import { expect, onTestFinished, test, vi } from 'vitest'
import { connectHost } from '../../src/host/index.ts'
import { executions, leaveMark, makeCountingFolders, runToEnd } from '../support/host/counting.ts'
import { makeHost } from '../support/host/make-host.ts'
import { watchRun } from '../support/host/watch-run.ts'
import { readAccounts, wishOf } from '../support/durability/victims.ts'

vi.setConfig({ testTimeout: 120_000 })

test.each([2, 100])('a result of %d MB is stored and read back whole from another process', async (megabytes) => {
  const { session, folders } = await makeHost({ socket: true })
  const body = `const part = 'é"'.repeat(250_000); return Array.from({ length: ${megabytes} }, (_, n) => n + part + n)`
  const { runId, state } = await runToEnd(session, { ...wishOf(folders, body), backend: 'simulated' })
  expect(state.status).toBe('completed')
  const client = await connectHost(folders.dataDir, { kind: 'cli', workspace: folders.workspace })
  onTestFinished(() => client.close())
  const { json } = await client.call('run.result', { runId })
  // What the host has stored is JSON.
  const parts = JSON.parse(json ?? '[]') as string[]
  const part = 'é"'.repeat(250_000)
  expect(parts.length).toBe(megabytes)
  expect(parts.every((text, n) => text === `${n}${part}${n}`)).toBe(true)
})

test('a quota that is gone at the third of forty agents starts no more than were in flight, and continues once it is back', async () => {
  const folders = await makeCountingFolders()
  const { session } = await makeHost({ folders, socket: true })
  const body = `return await parallel(Array.from({ length: 40 }, (_, n) => () => agent((n < 2 ? 'a' : 'QUOTA ') + n)))`
  const { runId } = await session.call('run.start', { ...wishOf(folders, body), maxConcurrentAgents: 4 })
  const watched = await watchRun(session, runId)
  const paused = await watched.until(
    (state) => state.paused !== undefined && state.running <= 4 && state.calls.completed === 2,
  )
  expect(paused.paused).toMatchObject({ by: 'limit', reason: expect.stringContaining('has no quota left') })
  // Two that answered, and at most four at once that were refused.
  expect(executions(folders).length).toBeLessThanOrEqual(6)
  leaveMark(folders, 'mended')
  const terminal = await connectHost(folders.dataDir, { kind: 'cli', workspace: folders.workspace })
  onTestFinished(() => terminal.close())
  await terminal.call('run.continue', { runId })
  const ended = await watched.ended
  expect(ended.calls).toMatchObject({ completed: 40, failed: 0 })
  await readAccounts(session, runId)
})
