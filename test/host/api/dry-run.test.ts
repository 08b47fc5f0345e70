import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { EMPTY_RUN, foldRunAll, type RunId } from '../../../src/shared/index.ts'
import {
  makeFolders,
  makeHost,
  shareHost,
  useEchoAgent,
  writeFileIn,
  type TestHost,
} from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { watchRun } from '../../support/host/watch-run.ts'

const BODY = `
phase('Find')
const found = await parallel([1, 2, 3].map((n) => () => agent('find ' + n, { label: 'find ' + n })))
phase('Write')
if (found.length > 5) await agent('never')
return await agent('write', { label: 'write', schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } })`

// Each agent of the earlier runs is a process of its own.
vi.setConfig({ testTimeout: 60_000 })

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

describe('what a dry run learns from earlier runs', () => {
  const shared = shareHost(useEchoAgent)

  const ASK = `
phase('Ask')
const answers = await parallel(['a', 'b'].map((name) => () => agent('say ' + name, { label: name })))
return answers`

  async function run({ session, folders }: TestHost, name: string, body: string, more: object = {}): Promise<RunId> {
    const source = { kind: 'text', text: script(name, body) } as const
    const { runId } = await session.call('run.start', { workspace: folders.workspace, source, ...more })
    await (
      await watchRun(session, runId)
    ).ended
    return runId
  }

  const dry = ({ session, folders }: TestHost, name: string, body: string, simulation: object = {}) =>
    session.call('run.dryRun', {
      workspace: folders.workspace,
      source: { kind: 'text', text: script(name, body) },
      simulation,
      maxConcurrentAgents: 4,
    })

  test('is what its calls took and used in real runs, the same each time', async () => {
    const made = shared()
    expect((await dry(made, 'learned', ASK)).plan.estimate).toMatchObject({ basis: 'default', runs: 0 })
    await run(made, 'learned', ASK, { backend: 'simulated' })
    expect((await dry(made, 'learned', ASK)).plan.estimate).toMatchObject({ basis: 'default', runs: 0 })
    const runs = [await run(made, 'learned', ASK), await run(made, 'learned', ASK)]
    const { plan } = await dry(made, 'learned', ASK)
    expect(plan.estimate).toMatchObject({ basis: 'history', runs: 2, outputTokens: 10, inputTokens: 14 })
    const took = await Promise.all(
      runs.flatMap((runId) => [1, 2].map((agent) => made.session.call('run.call', { runId, agent }))),
    )
    const durations = took.map(({ durationMs }) => durationMs)
    for (const { startMs, endMs } of plan.longestPath) expect(durations).toContain(endMs - startMs)
    expect((await dry(made, 'learned', ASK)).plan).toEqual(plan)
    expect((await dry(made, 'unrelated', ASK)).plan.estimate).toMatchObject({ basis: 'default', runs: 0 })
  })

  test('gives way to what fixtures say', async () => {
    const made = shared()
    await run(made, 'fixed', ASK)
    const path = await writeFileIn(
      made.folders.root,
      'fixed.json',
      JSON.stringify({ calls: [{ match: { label: 'a' }, delayMs: 3_600_000, usage: { outputTokens: 5000 } }] }),
    )
    const { plan } = await dry(made, 'fixed', ASK, { fixturesPath: path })
    expect(plan.estimate).toMatchObject({ wallClockMs: 3_600_000, outputTokens: 5005, basis: 'history', runs: 1 })
    const all = { calls: [{ delayMs: 1000, usage: { outputTokens: 1 } }] }
    await writeFile(path, JSON.stringify(all))
    expect((await dry(made, 'fixed', ASK, { fixturesPath: path })).plan.estimate).toMatchObject({
      wallClockMs: 1000,
      basis: 'fixtures',
      runs: 0,
    })
  })

  test('can be their answers: what a changed script makes of them', async () => {
    const made = shared()
    const runId = await run(made, 'recorded', ASK)
    const changed = ASK.replace('return answers', `return { answers, more: await agent('say c', { label: 'c' }) }`)
    const { envelope, plan } = await dry(made, 'changed', changed, { answersFromRun: runId })
    expect(envelope.result).toEqual({ answers: ['say a!', 'say b!'], more: expect.stringContaining('[simulated]') })
    expect(plan.answers).toEqual({ fromRun: runId, calls: 2 })
    expect(plan.estimate).toMatchObject({ basis: 'history', runs: 1 })
  })

  test('can be the answers of a simulated run, without its durations', async () => {
    const made = shared()
    const runId = await run(made, 'made-up', ASK, { backend: 'simulated' })
    const { result } = JSON.parse(`{ "result": ${(await made.session.call('run.result', { runId })).json ?? ''} }`)
    const { envelope, plan } = await dry(made, 'made-up', ASK, { answersFromRun: runId, seed: 9 })
    expect(envelope.result).toEqual(result)
    expect(plan.estimate).toMatchObject({ basis: 'default', runs: 0 })
  })

  test('can not come from a run that there is not, or that has no answers', async () => {
    const made = shared()
    await expect(dry(made, 'x', ASK, { answersFromRun: 'NONE' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no run NONE to take answers from',
    })
    const empty = await run(made, 'empty', 'return 1')
    await expect(dry(made, 'x', ASK, { answersFromRun: empty })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: `Run ${empty} has no answers to take: none of its agents completed`,
    })
  })
})

describe('in a dry run', () => {
  const shared = shareHost()

  test('a question for permission is answered by policy, and seen', async () => {
    const made = shared()
    const permission = { title: 'Run rm', rejected: 'did without' }
    const fixtures = { calls: [{ match: { label: 'careful' }, permission, answer: 'did it' }] }
    const fixturesPath = await writeFileIn(made.folders.root, 'careful.json', JSON.stringify(fixtures))
    const body = `return await agent('x', { label: 'careful' })`
    const { envelope, events, plan } = await dryRun(made, body, { simulation: { fixturesPath } })
    expect(envelope).toMatchObject({ result: 'did it', degraded: false, warnings: [] })
    expect(events.filter(({ type }) => type.startsWith('permission'))).toMatchObject([
      { type: 'permission-asked', agent: 1, title: 'Run rm' },
      { type: 'permission-answered', agent: 1, answer: 'allow-once', by: 'policy' },
    ])
    expect(plan.permissions).toEqual([{ agent: 1, label: 'careful', title: 'Run rm', answer: 'allow-once' }])
    const refused = await dryRun(made, body, { simulation: { fixturesPath, permissions: 'reject' } })
    expect(refused.envelope.result).toBe('did without')
    expect(refused.plan.permissions).toMatchObject([{ answer: 'reject' }])
  })

  test('what a nested workflow never reached is listed with its file', async () => {
    const made = shared()
    const { workspace } = made.folders
    const inner = script('inner', `if (args === 1) return await agent('one')\nreturn await agent('other')\n// é`)
    const path = await writeFileIn(workspace, 'workflows/inner.js', inner)
    const one = await dryRun(made, `await workflow('inner', 1)\nif (args) await agent('never')`)
    expect(one.plan.unreached.map(({ what, file, line }) => [what, file, line])).toEqual([
      ['agent', undefined, 3],
      ['agent', path, 3],
    ])
    const both = await dryRun(
      made,
      `await workflow('inner', 1)\nawait workflow({ scriptPath: 'workflows/inner.js' }, 2)`,
    )
    expect(both.envelope.outcome).toBe('completed')
    expect(both.plan.unreached).toEqual([])
  })
})
