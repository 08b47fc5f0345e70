import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCommandBackend, type CommandBackendOptions } from '../../../src/agents/command/command-backend.ts'
import { isJsonObject, type JsonObject } from '../../../src/shared/index.ts'
import {
  agentFile,
  assertDead,
  assertOk,
  living,
  makeRequest,
  makeStructured,
  NO_HOST,
  ProgressLog,
} from '../requests.ts'

const folder = mkdtempSync(join(tmpdir(), 'weft command ü '))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function backend(command: readonly string[], options: Partial<CommandBackendOptions> = {}) {
  return createCommandBackend({ id: 'test', protocol: 'jsonl', command, inheritedEnv: process.env, ...options })
}

function scripted(steps: JsonObject[], options: Partial<CommandBackendOptions> = {}) {
  return backend(['node', agentFile('scripted-agent.mjs')], {
    env: { WEFT_TEST_STEPS: JSON.stringify(steps) },
    ...options,
  })
}

const never = new AbortController().signal
const result = (output: unknown, rest: object = {}) => ({ send: { type: 'result', output, ...rest } }) as JsonObject

describe('what the process is given', () => {
  it('is one run line with the prompt byte for byte, the framing beside it, and nothing in the arguments', async () => {
    const prompt = '</output> `x` "q" \\ \u2028\u0085 🧵 \r\n$(rm) & echo %PATH% ^ |'
    const request = makeRequest({
      prompt,
      cwd: folder,
      model: 'm-1',
      effort: 'high',
      agentType: 'reviewer',
      allowedTools: ['read'],
      structured: makeStructured(true),
    })
    const answer = assertOk(
      await backend(['node', agentFile('echo-agent.mjs'), 'a b', '"'], { env: { EXTRA: 'e' } }).runner.run(
        request,
        NO_HOST,
        never,
        () => {},
      ),
    )
    const { run, ...rest } = answer.output as { run: JsonObject }
    expect(run).toEqual({
      type: 'run',
      prompt,
      framing: expect.stringContaining('non-interactive'),
      schema: true,
      model: 'm-1',
      effort: 'high',
      agentType: 'reviewer',
      allowedTools: ['read'],
      label: 'hello',
      cwd: folder,
      runId: request.runId,
      call: '/agent:0',
      attempt: 1,
    })
    expect(rest).toEqual({
      argv: ['a b', '"'],
      cwd: folder,
      env: { WEFT_RUN_ID: request.runId, WEFT_CALL: '/agent:0', WEFT_ATTEMPT: '1', EXTRA: 'e' },
    })
  })

  it('is started without a shell from a path with spaces', async () => {
    const file = join(folder, 'my agent; echo.sh')
    writeFileSync(file, '#!/bin/sh\nread -r line\necho \'{"type":"result","output":"from a script"}\'\n')
    chmodSync(file, 0o755)
    const answer = await backend([file]).runner.run(makeRequest(), NO_HOST, never, () => {})
    expect(answer).toEqual({ kind: 'ok', output: 'from a script', usage: { outputTokens: 0 } })
  })
})

describe('answers', () => {
  it('is the text, and JSON is text too where no schema was asked for', async () => {
    const answer = await scripted([result({ a: 1 })]).runner.run(makeRequest(), NO_HOST, never, () => {})
    expect(answer).toEqual({ kind: 'ok', output: '{"a":1}', usage: { outputTokens: 0 } })
  })

  it('that does not match goes back with the errors until one does', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const log = new ProgressLog()
    const answer = await scripted([
      result('{"n":1}'),
      { await: 'invalid' },
      result({ n: 'x' }),
      { await: 'invalid' },
      result({ n: 3 }, { usage: { outputTokens: 5 } }),
    ]).runner.run(makeRequest({ structured: makeStructured(schema) }), NO_HOST, never, log.add)
    expect(answer).toEqual({ kind: 'ok', output: { n: 3 }, usage: { outputTokens: 5 }, rejections: 2 })
    expect(log.all).toEqual([
      {
        kind: 'rejected',
        errors: ['/ must be object', expect.stringContaining('give the JSON value itself')],
        answer: '{"n":1}',
      },
      { kind: 'rejected', errors: ['/n must be integer'], answer: '{"n":"x"}' },
    ])
  })

  it('that never matches ends the call with the last text and errors', async () => {
    const dead = assertDead(
      await scripted([result(1), { await: 'invalid' }, result(2), { await: 'invalid' }, result(3)]).runner.run(
        makeRequest({ structured: makeStructured({ type: 'string' }, 2) }),
        NO_HOST,
        never,
        () => {},
      ),
    )
    expect(dead).toEqual({
      kind: 'dead',
      failure: 'schema',
      error: 'None of 3 answers matched the schema: / must be string',
      partial: '3',
      rejections: 3,
    })
  })

  it('counts as a mismatch when the process ends instead of answering again', async () => {
    const dead = assertDead(
      await scripted([result(1), { exit: 0 }]).runner.run(
        makeRequest({ structured: makeStructured({ type: 'string' }) }),
        NO_HOST,
        never,
        () => {},
      ),
    )
    expect(dead.failure).toBe('schema')
    expect(dead.error).toContain('it ended instead of answering again')
  })

  it('is taken at the result alone, whatever text came before', async () => {
    const answer = assertOk(
      await scripted([
        { send: { type: 'progress', text: 'half an ans' } },
        { send: { type: 'progress', tool: 'grep', title: 'TODO', status: 'running' } },
        { send: { type: 'progress', text: 'wer' } },
        result('the answer'),
        result('a second one'),
      ]).runner.run(makeRequest(), NO_HOST, never, () => {}),
    )
    expect(answer.output).toBe('the answer')
  })

  it('of 20 MB arrives whole', async () => {
    const answer = assertOk(
      await backend(['node', agentFile('huge-agent.mjs'), '20']).runner.run(makeRequest(), NO_HOST, never, () => {}),
    )
    expect(answer.output === 'ü'.repeat(10_000_000)).toBe(true)
  })

  it('survives a split inside a character, CRLF, a missing last line end, and half a surrogate pair', async () => {
    const line = Buffer.from('{"type":"progress","text":"🧵"}\r\n')
    const log = new ProgressLog()
    const answer = assertOk(
      await scripted([
        { bytes: line.subarray(0, 29).toString('hex') },
        { sleep: 50 },
        { bytes: line.subarray(29).toString('hex') },
        { raw: '{"type":"result","output":"cut \\ud83d and {\\"\\ude00\\":1}"}' },
        { exit: 0 },
      ]).runner.run(makeRequest(), NO_HOST, never, log.add),
    )
    expect(log.all).toEqual([{ kind: 'text', text: '🧵' }])
    expect(answer.output).toBe('cut \ufffd and {"\ufffd":1}')
  })

  it('has lone surrogates repaired in keys and at any depth', async () => {
    const depth = 5_000
    const raw = `{"type":"result","output":${'['.repeat(depth)}{"\\ud800k":"\\udfff","__proto__":1}${']'.repeat(depth)}}\n`
    let seen: unknown
    await scripted([{ raw }]).runner.run(
      makeRequest({
        structured: {
          ...makeStructured(true),
          validate: (value) => {
            seen = value
            return Promise.resolve({ ok: true, value: null })
          },
        },
      }),
      NO_HOST,
      never,
      () => {},
    )
    for (let n = 0; n < depth; n++) seen = (seen as unknown[])[0]
    expect(Object.entries(seen as object)).toEqual([
      ['__proto__', 1],
      ['\ufffdk', '\ufffd'],
    ])
  })
})

describe('usage', () => {
  it('of several usage lines is their sum', async () => {
    const log = new ProgressLog()
    const answer = assertOk(
      await scripted([
        { send: { type: 'usage', outputTokens: 100, inputTokens: 7 } },
        { send: { type: 'usage', outputTokens: 900, costUsd: 0.5 } },
        result('x'),
      ]).runner.run(makeRequest(), NO_HOST, never, log.add),
    )
    expect(answer.usage).toEqual({ outputTokens: 1000, inputTokens: 7, costUsd: 0.5 })
    expect(log.all.at(-1)).toEqual({ kind: 'usage', usage: answer.usage })
  })

  it('with the result is the whole call, and nonsense in it is ignored', async () => {
    const answer = assertOk(
      await scripted([
        { send: { type: 'usage', outputTokens: 10 } },
        { send: { type: 'usage', outputTokens: 'many' } },
        result('x', { usage: { outputTokens: 12, inputTokens: -1 } }),
      ]).runner.run(makeRequest(), NO_HOST, never, () => {}),
    )
    expect(answer.usage).toEqual({ outputTokens: 12 })
  })
})

describe('failures', () => {
  it.each([
    [{ reason: 'quota' }, 'quota'],
    [{ reason: 'quota', retryable: true }, 'transient'],
    [{ reason: 'auth' }, 'auth'],
    [{ reason: 'network' }, 'transient'],
    [{ reason: 'network', retryable: false }, 'other'],
    [{ reason: 'refused', retryable: true }, 'refused'],
    [{ reason: 'other' }, 'other'],
    [{ reason: 'other', retryable: true }, 'transient'],
    [{ reason: 'made up' }, 'other'],
    [{}, 'other'],
  ])('of the line %j is %s', async (fields, failure) => {
    const dead = assertDead(
      await scripted([
        { send: { type: 'usage', outputTokens: 3 } },
        { send: { type: 'error', message: 'no', ...fields } },
      ]).runner.run(makeRequest(), NO_HOST, never, () => {}),
    )
    expect(dead).toEqual({ kind: 'dead', error: 'no', failure, usage: { outputTokens: 3 } })
  })

  it('says when it may be tried again, where the agent does', async () => {
    const before = Date.now()
    const dead = assertDead(
      await scripted([{ send: { type: 'error', message: 'no', reason: 'quota', retryAfterMs: 60_000 } }]).runner.run(
        makeRequest(),
        NO_HOST,
        never,
        () => {},
      ),
    )
    expect(dead.retryAt).toBeGreaterThanOrEqual(before + 60_000)
    expect(dead.retryAt).toBeLessThanOrEqual(Date.now() + 60_000)
  })

  it('is a crash with code, tail of stderr and what was written so far when it exits without a result', async () => {
    const log = new ProgressLog()
    const dead = await scripted([
      { send: { type: 'progress', text: 'I was about to' } },
      { stderr: `${'x'.repeat(10_000)}\nTypeError: boom\n` },
      { exit: 3 },
    ]).runner.run(makeRequest(), NO_HOST, never, log.add)
    expect(dead).toEqual({
      kind: 'dead',
      failure: 'crashed',
      error: expect.stringMatching(
        /^The agent process exited with code 3 without a result\. Its stderr ends:\nx{3,}\nTypeError: boom$/,
      ),
      partial: 'I was about to',
    })
    expect(assertDead(dead).error.length).toBeLessThan(5_000)
    expect(log.all.filter((progress) => progress.kind === 'raw')).not.toEqual([])
  })

  it('names the signal that ended it', async () => {
    const dead = assertDead(await scripted([{ kill: 'SIGKILL' }]).runner.run(makeRequest(), NO_HOST, never, () => {}))
    expect(dead.error).toBe('The agent process was ended by SIGKILL without a result.')
  })

  it.each([
    ['a program that is not there', ['no-such-program-here'], 'was not found in any folder of PATH'],
    ['a path that is not there', ['/no/such/agent'], 'was not found. Install it'],
    ['a file that is not executable', [agentFile('hang-agent.mjs')], 'may not be executed'],
    ['no command', [], 'names no program'],
    ['a NUL in the command', ['node', 'a\0b'], 'holds a NUL character'],
  ])('is no start at all for %s', async (_name, command, words) => {
    const dead = assertDead(await backend(command).runner.run(makeRequest(), NO_HOST, never, () => {}))
    expect(dead).toMatchObject({ notStarted: true, failure: 'other' })
    expect(dead.error).toContain(words)
    expect(await backend(command).unavailable?.()).toBeDefined()
  })

  it('is no start at all for a folder that does not exist', async () => {
    const dead = assertDead(
      await scripted([]).runner.run(makeRequest({ cwd: join(folder, 'gone') }), NO_HOST, never, () => {}),
    )
    expect(dead.notStarted).toBe(true)
    expect(dead.error).toContain('in which the agent should work, does not exist')
  })

  it('names a missing interpreter as such', async () => {
    const file = join(folder, 'other-agent')
    writeFileSync(file, '#!/no/such/interpreter\n')
    chmodSync(file, 0o755)
    const dead = assertDead(await backend([file]).runner.run(makeRequest(), NO_HOST, never, () => {}))
    expect(dead.error).toContain('the interpreter that its first line names does not exist')
  })

  it('bounds a line that never ends, in memory and in time', async () => {
    const before = process.memoryUsage().rss
    const dead = assertDead(
      await backend(['node', agentFile('flood-agent.mjs'), '200']).runner.run(makeRequest(), NO_HOST, never, () => {}),
    )
    expect(dead.error).toContain('without a line end, more than the 64 MiB that a message may have')
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  })
})

describe('log text', () => {
  it('is every line that is no message, kept within bounds', async () => {
    const log = new ProgressLog()
    const garbage = [
      'Debugger listening on ws://127.0.0.1:9229',
      '{"type":"progress"}',
      '{"type":"result"}',
      '[1]',
      '{broken',
      '',
      'null',
    ]
    const answer = await scripted([
      { raw: `${garbage.join('\n')}\n` },
      { repeat: 'noise\n', times: 1_000 },
      result('fine'),
    ]).runner.run(makeRequest(), NO_HOST, never, log.add)
    expect(assertOk(answer).output).toBe('fine')
    const texts = log.all.map((progress) => (progress.kind === 'raw' ? progress.text : progress.kind))
    expect(texts.slice(0, 6)).toEqual(garbage.filter((line) => line !== ''))
    expect(texts).toHaveLength(201)
    expect(texts.at(-1)).toContain('is not kept')
  })
})

describe('cancelling', () => {
  it('is heard by an agent that listens, and nothing it says afterwards is shown', async () => {
    const log = new ProgressLog()
    const controller = new AbortController()
    const running = scripted(
      [
        { send: { type: 'progress', text: 'ready' } },
        { await: 'cancel' },
        { send: { type: 'progress', text: 'too late' } },
        { send: { type: 'error', message: 'stopped' } },
        { exit: 0 },
      ],
      // Being waited for for so long would fail this test.
      { timing: { cancelToTermMs: 600_000 } },
    ).runner.run(makeRequest(), NO_HOST, controller.signal, log.add)
    await log.until((progress) => progress.kind === 'text')
    controller.abort()
    expect(assertDead(await running)).toMatchObject({ error: 'The call was cancelled.', partial: 'ready' })
    expect(log.all).toEqual([{ kind: 'text', text: 'ready' }])
  })

  it('ends an agent that does not listen by SIGTERM after 2 s', async () => {
    const log = new ProgressLog()
    const controller = new AbortController()
    const running = backend(['node', agentFile('hang-agent.mjs')]).runner.run(
      makeRequest(),
      NO_HOST,
      controller.signal,
      log.add,
    )
    await log.until((progress) => progress.kind === 'text')
    const begun = performance.now()
    controller.abort()
    assertDead(await running)
    expect(performance.now() - begun).toBeGreaterThan(1_900)
    expect(performance.now() - begun).toBeLessThan(4_000)
  })

  it('ends one that ignores SIGTERM, and its child, by SIGKILL after 5 s', async () => {
    const log = new ProgressLog()
    const controller = new AbortController()
    const running = backend(['node', agentFile('ignores-sigterm-agent.mjs')]).runner.run(
      makeRequest(),
      NO_HOST,
      controller.signal,
      log.add,
    )
    const pids = await log.pids()
    expect(living(pids)).toEqual(pids)
    const begun = performance.now()
    controller.abort()
    assertDead(await running)
    expect(performance.now() - begun).toBeGreaterThan(4_900)
    expect(performance.now() - begun).toBeLessThan(7_000)
    expect(living(pids)).toEqual([])
  })

  it('ends a wrapper and its jobs together, so that no further job starts', async () => {
    const log = new ProgressLog()
    const controller = new AbortController()
    const running = backend([agentFile('loop-agent.sh')]).runner.run(makeRequest(), NO_HOST, controller.signal, log.add)
    await log.until((progress) => progress.kind === 'text')
    controller.abort()
    assertDead(await running)
    expect(log.all).toEqual([{ kind: 'text', text: 'job 1' }])
  })

  it('starts nothing when it comes first', async () => {
    const dead = assertDead(
      await backend(['no-such-program-here']).runner.run(makeRequest(), NO_HOST, AbortSignal.abort(), () => {}),
    )
    expect(dead.error).toBe('The call was cancelled.')
  })
})

describe('processes of every generation', () => {
  it.each([
    ['hang', 'a cancelled call'],
    ['result', 'an accepted result'],
    ['crash', 'a crash'],
  ])('are gone after %s', async (then) => {
    const log = new ProgressLog()
    const controller = new AbortController()
    const running = backend(['node', agentFile('grandchildren-agent.mjs'), then]).runner.run(
      makeRequest(),
      NO_HOST,
      controller.signal,
      log.add,
    )
    const pids = await log.pids()
    expect(pids).toHaveLength(5)
    if (then === 'hang') controller.abort()
    const answer = await running
    expect(answer.kind).toBe(then === 'result' ? 'ok' : 'dead')
    expect(living(pids)).toEqual([])
  })
})

describe('options', () => {
  it('that the program is said not to take are refused in words', () => {
    const narrow = backend(['node'], { capabilities: { models: false, allowedTools: false } })
    expect(narrow.refuse?.({ model: 'x', allowedTools: [], isolation: 'worktree' })).toBe(
      'back end "test" cannot choose a model (model: "x"), nor restrict tools (allowedTools), nor work in a worktree of its own (isolation: "worktree")',
    )
    expect(narrow.refuse?.({ effort: 'low', agentType: 'reviewer' })).toBeUndefined()
    expect(isJsonObject(narrow.capabilities)).toBe(true)
  })
})
