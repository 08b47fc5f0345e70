import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { toRunEnvelope, type RunId, type RunRow } from '../../../src/shared/index.ts'
import {
  makeFolders,
  makeHost,
  shareHost,
  useEchoAgent,
  writeFileIn,
  type TestHost,
} from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { waitUntil } from '../../support/host/wait-until.ts'
import { watchRun } from '../../support/host/watch-run.ts'

async function makeEchoHost(shared?: TestHost) {
  const folders = shared?.folders ?? (await makeFolders())
  if (shared === undefined) await useEchoAgent(folders)
  const made = shared ?? (await makeHost({ folders }))
  const start = async (body: string, more: object = {}): Promise<RunId> => {
    const source = { kind: 'text', text: script('test', body) } as const
    return (await made.session.call('run.start', { workspace: folders.workspace, source, ...more })).runId
  }
  return { ...made, start }
}

// Each agent is a process of its own, which starts slowly where many others run.
vi.setConfig({ testTimeout: 60_000 })

const FAN_OUT = `
phase('Ask')
const answers = await parallel(['a', 'b', 'c'].map((name) => () => agent('say ' + name, { label: name })))
log('all said')
return { answers, args }`

describe('a run', () => {
  const shared = shareHost(useEchoAgent)

  test('is refused before anything starts when its args are not what the schema beside the script takes', async () => {
    const { session, folders } = await makeEchoHost(shared())
    const { workspace } = folders
    const path = await writeFileIn(workspace, 'workflows/judged.js', script('judged', 'return args'))
    const properties = { topic: { type: 'string', pattern: '^[a-z]+$' }, depth: { type: 'integer' } }
    const schema = JSON.stringify({ type: 'object', required: ['topic'], properties })
    await writeFileIn(workspace, 'workflows/judged.args.schema.json', schema)
    const wish = { workspace, source: { kind: 'path', path } } as const
    const start = (args: object) => session.call('run.start', { ...wish, args })
    const before = (await session.call('run.list', { workspace })).total
    await expect(start({ topic: 'A b', depth: 'deep' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      violations: ['/depth must be integer, not string', '/topic must match the pattern ^[a-z]+$'],
    })
    await expect(start({})).rejects.toMatchObject({ violations: ['args lacks the property "topic"'] })
    for (const call of ['run.start', 'run.dryRun'] as const) {
      await expect(session.call(call, wish)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: 'The workflow takes args, and none were given: args lacks the property "topic"',
      })
    }
    await expect(session.call('run.dryRun', { ...wish, args: { topic: 'A b' } })).rejects.toMatchObject({
      violations: ['/topic must match the pattern ^[a-z]+$'],
    })
    const dry = await session.call('run.dryRun', { ...wish, args: { topic: 'locks' } })
    expect(dry.envelope.result).toEqual({ topic: 'locks' })
    expect((await session.call('run.list', { workspace })).total).toBe(before)
    await expect(start({ topic: 'locks' })).resolves.toMatchObject({ runId: expect.any(String) })
  })

  test.each([
    ['nothing is required', { type: 'object', properties: { a: {} } }, undefined],
    ['null is right', { type: ['object', 'null'], required: ['a'] }, undefined],
    ['a text is wanted', { type: 'string' }, 'args must be string, not object'],
    ['a list is wanted', { type: 'array' }, 'args must be array, not object'],
  ])('may leave its args out where %s', async (_case, schema, problem) => {
    const { session, folders } = shared()
    const path = await writeFileIn(folders.workspace, 'workflows/without.js', script('without', 'return typeof args'))
    await writeFileIn(folders.workspace, 'workflows/without.args.schema.json', JSON.stringify(schema))
    const dry = session.call('run.dryRun', { workspace: folders.workspace, source: { kind: 'path', path } })
    if (problem === undefined) expect((await dry).envelope.result).toBe('undefined')
    else await expect(dry).rejects.toMatchObject({ violations: [problem] })
  })

  test('is carried out by a real agent program and found again with everything it did', async () => {
    const { session, folders } = await makeEchoHost(shared())
    const text = script('fan-out', FAN_OUT)
    const { runId } = await session.call('run.start', {
      workspace: folders.workspace,
      source: { kind: 'text', text },
      args: { n: null, list: [1] },
      title: 'A title',
      budgetTokens: 1000,
    })
    const run = await watchRun(session, runId)
    const state = await run.ended
    expect(toRunEnvelope(state)).toMatchObject({
      runId,
      outcome: 'completed',
      degraded: false,
      agentsStarted: 3,
      simulated: false,
      usage: { outputTokens: 15, inputTokens: 21 },
    })
    expect(run.events.map(({ seq }) => seq)).toEqual(run.events.map((_, index) => index + 1))
    const result = await session.call('run.result', { runId })
    expect(JSON.parse(result.json ?? '')).toEqual({
      answers: ['say a!', 'say b!', 'say c!'],
      args: { n: null, list: [1] },
    })
    const { row, lastSeq } = await session.call('run.get', { runId })
    expect(lastSeq).toBe(run.events.length)
    expect(row).toMatchObject({
      workflow: 'fan-out',
      title: 'A title',
      status: 'completed',
      backend: 'echo',
      simulated: false,
      workspace: folders.workspace,
      startedBy: { kind: 'test' },
      agents: 3,
      outputTokens: 15,
    })
    expect(await session.call('run.list', { status: ['completed'], workflow: 'fan-out' })).toEqual({
      runs: [row],
      total: 1,
      pinned: [],
    })
    expect(await session.call('run.list', { status: ['running', 'error'], workflow: 'fan-out' })).toEqual({
      runs: [],
      total: 0,
      pinned: [],
    })
    const page = await session.call('run.events', { runId, fromSeq: 2, limit: 3 })
    expect(page).toEqual({ events: run.events.slice(1, 4), lastSeq })
    expect(await session.call('run.call', { runId, agent: 2 })).toMatchObject({
      agent: 2,
      prompt: 'say b',
      outcome: 'completed',
      result: 'say b!',
      usage: { outputTokens: 5, inputTokens: 7 },
    })
    expect((await session.call('run.script', { runId })).text).toBe(text)
  })

  test('gets its args verbatim, and none where none were given', async () => {
    const { session, start } = await makeEchoHost(shared())
    const result = async (more: object): Promise<unknown> => {
      const runId = await start('return [typeof args, args === undefined ? 0 : args]', more)
      const run = await watchRun(session, runId)
      await run.ended
      run.stop()
      return JSON.parse((await session.call('run.result', { runId })).json ?? '')
    }
    expect(await result({})).toEqual(['undefined', 0])
    expect(await result({ args: null })).toEqual(['object', null])
    expect(await result({ args: '{"a":1}' })).toEqual(['string', '{"a":1}'])
    expect(await result({ args: [1] })).toEqual(['object', [1]])
  })

  test('of a harness has args that came as a JSON string parsed once, and its record says so', async () => {
    const { host, start: _start, folders } = await makeEchoHost(shared())
    const harness = host.openSession({ kind: 'harness', name: 'codex', workspace: folders.workspace })
    const run = async (args: unknown) => {
      const source = { kind: 'text', text: script('test', 'return [typeof args, args]') } as const
      const { runId } = await harness.call('run.start', { workspace: folders.workspace, source, args })
      const watched = await watchRun(harness, runId)
      const state = await watched.ended
      watched.stop()
      return { state, result: JSON.parse((await harness.call('run.result', { runId })).json ?? '') as unknown }
    }
    const parsed = await run('{"a":[1]}')
    expect(parsed.result).toEqual(['object', { a: [1] }])
    expect(parsed.state.info?.startedBy).toEqual({ kind: 'harness', name: 'codex' })
    expect(parsed.state.warnings).toMatchObject([
      { code: 'args-parsed', message: expect.stringContaining('an object') },
    ])
    const plain = await run('"{}"')
    expect(plain.result).toEqual(['string', '"{}"'])
    expect(plain.state.warnings).toEqual([])
  })

  test('is started by the name of a workflow, in the text that stands there now', async () => {
    const { session, folders } = await makeEchoHost(shared())
    const { workspace } = folders
    const path = await writeFileIn(workspace, 'workflows/named.js', script('named', 'return 1'))
    const run = async (): Promise<[unknown, RunId]> => {
      const { runId } = await session.call('run.start', { workspace, source: { kind: 'name', name: 'named' } })
      const watched = await watchRun(session, runId)
      await watched.ended
      return [JSON.parse((await session.call('run.result', { runId })).json ?? ''), runId]
    }
    const [first, firstId] = await run()
    await writeFile(path, script('named', 'return 2'))
    const [second, secondId] = await run()
    expect([first, second]).toEqual([1, 2])
    expect((await session.call('run.script', { runId: firstId })).text).toContain('return 1')
    expect((await session.call('run.script', { runId: secondId })).text).toContain('return 2')
    expect((await session.call('run.get', { runId: secondId })).row.scriptPath).toBe(path)
  })

  test('calls other workflows by name and by path', async () => {
    const { session, folders } = await makeEchoHost(shared())
    const { workspace } = folders
    await writeFileIn(workspace, 'workflows/child.js', script('child', 'return await agent("from " + args)'))
    await writeFileIn(workspace, 'lib/other.js', script('other', 'return "other " + args'))
    const body = `return [await workflow('child', 1), await workflow({ scriptPath: './other.js' }, 2)]`
    const path = await writeFileIn(workspace, 'lib/main.js', script('main', body))
    const { runId } = await session.call('run.start', { workspace, source: { kind: 'path', path } })
    const run = await watchRun(session, runId)
    const state = await run.ended
    expect(state.error).toBeUndefined()
    expect(JSON.parse((await session.call('run.result', { runId })).json ?? '')).toEqual(['from 1!', 'other 2'])
    expect(state.groups.map(({ name }) => name)).toEqual(['child', 'other'])
  })

  test('can not call a file outside the workspace', async () => {
    const { session, start, folders } = await makeEchoHost(shared())
    await writeFileIn(folders.root, 'outside.js', script('outside'))
    const runId = await start(
      `return await workflow({ scriptPath: '../outside.js' }).catch((e) => [e.code, e.message])`,
    )
    await (
      await watchRun(session, runId)
    ).ended
    expect(JSON.parse((await session.call('run.result', { runId })).json ?? '')).toEqual([
      'UNKNOWN_WORKFLOW',
      expect.stringContaining('leads out of the workspace'),
    ])
  })

  test('is cancelled with its agents, and says why', async () => {
    const { session, start } = await makeEchoHost(shared())
    const runId = await start(`return await agent('HANG')`)
    const run = await watchRun(session, runId)
    await run.until((state) => state.running === 1)
    expect((await session.call('host.status', {})).runningAgents).toBe(1)
    await session.call('run.cancel', { runId, reason: 'enough' })
    const state = await run.ended
    expect([state.status, state.cancelReason, state.calls.cancelled]).toEqual(['cancelled', 'enough', 1])
    await expect(session.call('run.cancel', { runId })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `Run ${runId} has ended already: cancelled`,
    })
  })

  test('that is still going has no result yet', async () => {
    const { session, start } = await makeEchoHost(shared())
    const runId = await start(`return await agent('HANG')`)
    const run = await watchRun(session, runId)
    await run.until((state) => state.running === 1)
    expect(await session.call('run.result', { runId })).toEqual({ settled: false, json: null })
    await session.call('run.cancel', { runId })
    await run.ended
  })

  test('tells its row to everyone, its events to those who watch', async () => {
    const { host, session, start, folders } = await makeEchoHost(shared())
    const other = host.openSession({ kind: 'test', workspace: folders.workspace })
    other.on('run.events', () => expect.unreachable('this session watches nothing'))
    const rows: RunRow[] = []
    other.on('run.row', ({ row }) => void rows.push(row))
    const runId = await start(FAN_OUT)
    await waitUntil('the row of the ended run', () => rows.some((row) => row.runId === runId && row.endedAt !== null))
    expect(rows.at(-1)).toEqual((await session.call('run.get', { runId })).row)
  })

  test('is told from any number on, and no longer once unwatched', async () => {
    const { session, host, start, folders } = await makeEchoHost(shared())
    const runId = await start(FAN_OUT)
    const all = await watchRun(session, runId)
    await all.ended
    const late = host.openSession({ kind: 'test', workspace: folders.workspace })
    const seen: number[] = []
    const done = new Promise<void>((resolve) => {
      late.on('run.events', ({ events }) => {
        seen.push(...events.map(({ seq }) => seq))
        if (seen.includes(all.events.length)) resolve()
      })
    })
    expect(await late.call('run.watch', { runId, fromSeq: 5 })).toEqual({ lastSeq: all.events.length })
    await done
    expect(seen).toEqual(all.events.slice(4).map(({ seq }) => seq))
    await late.call('run.watch', { runId, fromSeq: 1 })
    await late.call('run.unwatch', { runId })
    await late.call('host.status', {})
    expect(seen).toHaveLength(all.events.length - 4)
  })

  test('is watched by many at once while it runs, each seeing the same', async () => {
    const { host, start, folders } = await makeEchoHost(shared())
    const runId = await start(`return await parallel(Array.from({ length: 12 }, (_, i) => () => agent('n' + i)))`)
    const watched = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const client = host.openSession({ kind: 'test', workspace: folders.workspace })
        return watchRun(client, runId)
      }),
    )
    await Promise.all(watched.map((run) => run.ended))
    const [first, ...others] = watched.map(({ events }) => events)
    expect(first?.at(-1)?.type).toBe('run-ended')
    for (const events of others) expect(events).toEqual(first)
  })
})

describe('a run is refused', () => {
  test('for a script that is none, with every finding and its place', async () => {
    const { session, folders } = await makeEchoHost()
    const { workspace } = folders
    const text = `export const meta = { name: 3 }\nawait import('node:fs')\n`
    const start = session.call('run.start', { workspace, source: { kind: 'text', text, fileName: 'bad.js' } })
    await expect(start).rejects.toMatchObject({
      code: 'SCRIPT_REFUSED',
      message: expect.stringContaining('bad.js:'),
      diagnostics: expect.arrayContaining([expect.objectContaining({ severity: 'error', line: 1 })]),
    })
    expect((await session.call('run.list', {})).total).toBe(0)
  })

  test('for a name that nobody has, with the nearest one', async () => {
    const { session, folders } = await makeEchoHost()
    const { workspace } = folders
    await writeFileIn(workspace, 'workflows/review.js', script('review'))
    await writeFileIn(workspace, 'workflows/helpers.js', 'export const x = 1')
    const start = (name: string) => session.call('run.start', { workspace, source: { kind: 'name', name } })
    await expect(start('reviw')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no workflow "reviw", did you mean "review"? Known are review.',
    })
    await expect(start('./review.js')).rejects.toMatchObject({
      message:
        'There is no workflow "./review.js". To call a file, name it as one: { scriptPath: "./review.js" }. Known are review.',
    })
    await expect(start('helpers')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('"helpers" is not a workflow'),
    })
  })

  test('for a broken workflow by its name, even when another one would answer to it', async () => {
    const { session, folders } = await makeEchoHost()
    const { workspace } = folders
    await writeFileIn(workspace, 'workflows/review.js', script('review', 'const = 1'))
    await writeFileIn(folders.bundledWorkflows, 'review.js', script('review'))
    const start = session.call('run.start', { workspace, source: { kind: 'name', name: 'review' } })
    await expect(start).rejects.toMatchObject({ code: 'SCRIPT_REFUSED' })
  })

  test('for a file that is missing or no workflow', async () => {
    const { session, folders } = await makeEchoHost()
    const { workspace } = folders
    await writeFileIn(workspace, 'helper.js', 'export const x = 1')
    await writeFileIn(workspace, 'notes.md', '#')
    const start = (path: string) => session.call('run.start', { workspace, source: { kind: 'path', path } })
    await expect(start('missing.js')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no file ${join(workspace, 'missing.js')}`,
    })
    await expect(start('helper.js')).rejects.toMatchObject({ message: expect.stringContaining('is not a workflow') })
    await expect(start('notes.md')).rejects.toMatchObject({ message: expect.stringContaining('.js, .mjs or .ts') })
    await expect(start('.')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('for a back end that is not there or can not run', async () => {
    const { session, start, folders } = await makeEchoHost()
    await expect(start('return 1', { backend: 'ecco' })).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      message: 'There is no back end "ecco": did you mean "echo"?',
    })
    const backends = {
      gone: { kind: 'command', protocol: 'jsonl', command: ['weft-no-such-program'] },
      keyless: { kind: 'model-api', provider: 'openai', apiKeyEnv: 'WEFT_TEST_NO_SUCH_KEY' },
    }
    await writeFile(join(folders.dataDir, 'settings.json'), JSON.stringify({ backends }))
    await expect(start('return 1')).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      message: expect.stringContaining('weft-no-such-program'),
    })
    await expect(start('return 1', { backend: 'keyless' })).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      message: expect.stringContaining('WEFT_TEST_NO_SUCH_KEY is not set'),
    })
    expect((await session.call('run.list', {})).total).toBe(0)
  })

  test('when the settings are broken and no back end was named', async () => {
    const { session, start, folders } = await makeEchoHost()
    const file = join(folders.dataDir, 'settings.json')
    await writeFile(file, '{ broken')
    await expect(start('return 1')).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      message: expect.stringContaining('it is not JSON'),
    })
    const runId = await start('return 1', { backend: 'simulated' })
    expect((await (await watchRun(session, runId)).ended).status).toBe('completed')
    expect(await readFile(file, 'utf8')).toBe('{ broken')
  })

  test('with every violation of its parameters', async () => {
    const { session } = await makeEchoHost()
    // Wrong on purpose: what comes over a wire is not what the types say.
    const start = session.call('run.start', { workspace: '', source: { kind: 'file' }, budgetTokens: 0 } as never)
    await expect(start).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      violations: [
        'workspace must not be empty',
        'source.kind must be one of "path", "name", "text", not "file"',
        'budgetTokens must be >= 1, not 0',
      ],
    })
  })

  test('to be found under an id that nobody knows', async () => {
    const { session } = await makeEchoHost()
    const runId = '01ARYZ6S410000000000000000'
    const calls = [
      session.call('run.get', { runId }),
      session.call('run.events', { runId, fromSeq: 1, limit: 1 }),
      session.call('run.watch', { runId, fromSeq: 1 }),
      session.call('run.result', { runId }),
      session.call('run.script', { runId }),
      session.call('run.call', { runId, agent: 1 }),
      session.call('run.cancel', { runId }),
    ]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(session.call('run.list', { status: ['done'] })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('interrupted, not "done"'),
    })
  })
})
