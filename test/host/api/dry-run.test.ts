import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EMPTY_RUN, foldRunAll } from '../../../src/shared/index.ts'
import {
  makeFolders,
  makeHost,
  shareHost,
  useEchoAgent,
  writeFileIn,
  type TestHost,
} from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'

const BODY = `
phase('Find')
const found = await parallel([1, 2, 3].map((n) => () => agent('find ' + n, { label: 'find ' + n })))
phase('Write')
if (found.length > 5) await agent('never')
return await agent('write', { label: 'write', schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } })`

async function dryRun({ session, folders }: TestHost, body: string, more: object = {}) {
  const source = { kind: 'text', text: script('dry', body), fileName: 'dry.js' } as const
  return session.call('run.dryRun', { workspace: folders.workspace, source, ...more })
}

describe('a dry run', () => {
  const shared = shareHost()

  test('answers with its result, its events and its plan', async () => {
    const made = shared()
    const { envelope, events, plan } = await dryRun(made, BODY, { maxConcurrentAgents: 3 })
    expect(envelope).toMatchObject({
      workflow: 'dry',
      outcome: 'completed',
      agentsStarted: 4,
      simulated: true,
      result: { text: expect.any(String) },
    })
    const state = foldRunAll(EMPTY_RUN, events)
    expect(state.info?.dry).toBe(true)
    expect(plan.phases.map(({ title, agents }) => [title, agents])).toEqual([
      ['Find', 3],
      ['Write', 1],
    ])
    expect(plan.longestPath.at(-1)?.label).toBe('write')
    expect(plan.longestPath).toHaveLength(2)
    expect(plan.longestPath[0]?.endMs).toBe(plan.longestPath[1]?.startMs)
    expect(plan.peakConcurrency).toBe(3)
    expect(plan.estimate).toMatchObject({ wallClockMs: envelope.durationMs, basis: 'default', runs: 0 })
    expect(plan.estimate.outputTokens).toBeGreaterThan(0)
    expect(plan.unreached).toMatchObject([{ what: 'agent', line: 6 }])
  })

  test('is the same each time, and another one with another seed', async () => {
    const made = shared()
    const results = []
    for (const seed of [1, 1, 2]) results.push((await dryRun(made, BODY, { simulation: { seed } })).envelope.result)
    expect(results[1]).toEqual(results[0])
    expect(results[2]).not.toEqual(results[0])
  })

  test('leaves nothing in the history and starts no process', async () => {
    const folders = await makeFolders()
    await useEchoAgent(folders)
    const made = await makeHost({ folders })
    const before = await readdir(folders.dataDir)
    const { envelope, events } = await dryRun(made, BODY)
    expect(envelope.simulated).toBe(true)
    expect(events.find((event) => event.type === 'agent-queued')).toMatchObject({ backend: 'echo' })
    expect((await made.session.call('run.list', {})).total).toBe(0)
    expect(await readdir(folders.dataDir)).toEqual(before)
    await expect(made.session.call('run.get', { runId: envelope.runId ?? '' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('answers from the fixtures beside the script', async () => {
    const made = shared()
    const { workspace } = made.folders
    const path = await writeFileIn(workspace, 'work.js', script('work', `return await agent('q', { label: 'ask' })`))
    const fixtures = { calls: [{ match: { label: 'ask' }, answer: 'from the file' }] }
    await writeFileIn(workspace, 'work.fixtures.json', JSON.stringify(fixtures))
    const { envelope, plan } = await made.session.call('run.dryRun', { workspace, source: { kind: 'path', path } })
    expect([envelope.result, plan.estimate.basis]).toEqual(['from the file', 'fixtures'])
    const unsaved = { kind: 'text', path, text: script('work', `return [await agent('q', { label: 'ask' })]`) } as const
    expect((await made.session.call('run.dryRun', { workspace, source: unsaved })).envelope.result).toEqual([
      'from the file',
    ])
  })

  test('answers from fixtures that were named, and says when they are missing or wrong', async () => {
    const made = shared()
    const fixturesPath = join(made.folders.root, 'some.json')
    const run = () => dryRun(made, `return await agent('q')`, { simulation: { fixturesPath } })
    await expect(run()).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no fixtures file ${fixturesPath}`,
    })
    await writeFile(fixturesPath, '{"calls": [{"answr": 1}]}')
    await expect(run()).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('answr') })
    await writeFile(fixturesPath, '{"calls": [{"answer": "yes"}]}')
    expect((await run()).envelope.result).toBe('yes')
  })

  test('lets calls fail by rate and by name', async () => {
    const made = shared()
    const all = await dryRun(made, BODY, { simulation: { failRate: 1 } })
    expect(all.envelope).toMatchObject({ degraded: true, calls: { failed: 4 } })
    const one = await dryRun(made, BODY, { simulation: { failCalls: ['find 2'] } })
    expect(one.envelope.calls).toMatchObject({ completed: 3, failed: 1 })
  })

  test('ends with its error when the script throws', async () => {
    const made = shared()
    const { envelope } = await dryRun(made, `await agent('a')\nthrow new Error('no good')`)
    expect(envelope).toMatchObject({ outcome: 'error', result: null, error: { message: 'no good', line: 3 } })
  })

  test('of hours takes no time', async () => {
    const made = shared()
    const { envelope, plan } = await dryRun(
      made,
      `for (let i = 0; i < 300; i++) await agent('step ' + i)\nreturn 'done'`,
    )
    expect(envelope.result).toBe('done')
    expect(plan.longestPath).toHaveLength(300)
    expect(plan.estimate.wallClockMs).toBeGreaterThan(300_000)
  })

  test('refuses a back end that nobody configured', async () => {
    const made = shared()
    await expect(dryRun(made, 'return 1', { backend: 'x' })).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' })
    const { envelope } = await dryRun(made, `return await agent('a', { provider: 'nobody' })`)
    expect(envelope.outcome).toBe('error')
  })
})
