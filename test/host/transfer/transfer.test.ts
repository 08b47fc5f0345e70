// A run as a file, there and back: through the calls, between two hosts.

import { beforeAll, describe, expect, it } from 'vitest'
import { asRunId, type HostCalls, type JsonValue, type RunId } from '../../../src/shared/index.ts'
import type { HostSession } from '../../../src/host/index.ts'
import { runToEnd, wishOf } from '../../support/host/counting.ts'
import { shareHost, useEchoAgent } from '../../support/host/make-host.ts'
import { waitUntil } from '../../support/host/wait-until.ts'

const source = shareHost(useEchoAgent)
const target = shareHost(useEchoAgent)

const BODY = `
phase('Look')
log('a log line with needles')
const found = await parallel([() => agent('one', { label: 'eye' }), () => agent('FAIL two'), () => agent('three \\ud800')])
return { found, ['__proto__']: { polluted: true }, big: 'x'.repeat(1_500_000) }
`

let runId: RunId
let file: string

async function exportRun(
  session: HostSession,
  params: HostCalls['run.export']['params'],
): Promise<{ text: string; pages: number; longest: number; fileName: string }> {
  const texts: string[] = []
  let page = await session.call('run.export', params)
  texts.push(page.text)
  while (page.cursor !== null) {
    // oxlint-disable-next-line no-await-in-loop -- each page has the cursor of the next
    page = await session.call('run.export', { ...params, cursor: page.cursor })
    texts.push(page.text)
  }
  const longest = Math.max(...texts.map((text) => Buffer.byteLength(text)))
  return { text: texts.join(''), pages: texts.length, longest, fileName: page.fileName }
}

/** In pieces that end anywhere. */
async function importText(
  session: HostSession,
  text: string,
  size = 700_001,
): Promise<HostCalls['run.import']['result']> {
  let importId: string | undefined
  for (let at = 0; ; at += size) {
    const last = at + size >= text.length
    const piece = { text: text.slice(at, at + size), last, ...(importId !== undefined && { importId }) }
    // oxlint-disable-next-line no-await-in-loop -- pieces go one after the other
    const done = await session.call('run.import', piece)
    if (last) return done
    importId = done.importId
  }
}

const lines = (text: string): JsonValue[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonValue)

/** The file with some line changed. */
const edited = (change: (line: string, index: number) => string | undefined): string =>
  `${file
    .trimEnd()
    .split('\n')
    .flatMap((line, index) => change(line, index) ?? [])
    .join('\n')}\n`

beforeAll(async () => {
  const { session, folders } = source()
  runId = (await runToEnd(session, { ...wishOf(folders, BODY), args: { list: [1, 2] }, title: 'Moving' })).runId
  file = (await exportRun(session, { runId, format: 'jsonl' })).text
})

describe('run.export as JSON Lines', () => {
  it('hands out a large run in pages that fit a frame, header first and end last', async () => {
    const { pages, longest, fileName, text } = await exportRun(source().session, { runId, format: 'jsonl' })
    expect(pages).toBeGreaterThan(4)
    expect(longest).toBeLessThan(1_000_000)
    expect(fileName).toBe(`test-${runId}.weft.jsonl`)
    expect(lines(text)[0]).toEqual({ format: 'weft-run', version: 1, runId })
    const kinds = lines(text).flatMap((line) => (line as { kind?: string }).kind ?? [])
    expect([...new Set(kinds)]).toEqual(['script', 'event', 'call', 'journal', 'result', 'end'])
  })

  it('takes a cursor once', async () => {
    const { session } = source()
    const { cursor } = await session.call('run.export', { runId, format: 'jsonl' })
    const params = { runId, format: 'jsonl' as const, cursor: cursor ?? '' }
    await session.call('run.export', params)
    await expect(session.call('run.export', params)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('run.import', () => {
  it('brings a run that is shown, searched, compared, exported and resumed like one of its own', async () => {
    const { session } = target()
    expect(await importText(session, file)).toMatchObject({ runId, renamed: false, known: false })
    const there = await source().session.call('run.get', { runId })
    expect(await session.call('run.get', { runId })).toEqual(there)
    expect((await exportRun(session, { runId, format: 'jsonl' })).text).toBe(file)
    await waitUntil(
      'its texts are found',
      async () => (await session.call('run.search', { text: 'needles' })).hits.length === 1,
    )
    const resumed = await runToEnd(session, { resumeFromRunId: runId, workspace: target().folders.workspace })
    expect(resumed.state.calls).toMatchObject({ replayed: 2, failed: 1, completed: 0 })
    const compared = await session.call('run.compare', { a: runId, b: resumed.runId })
    expect(compared).toMatchObject({ result: { same: true }, fates: { same: 3 } })
    expect(await session.call('run.list', { text: runId })).toMatchObject({ total: 1 })
  })

  it('says that the same run is there already, and writes nothing', async () => {
    const { session } = source()
    const { total } = await session.call('run.list', {})
    expect(await importText(session, file)).toMatchObject({ runId, renamed: false, known: true })
    expect((await session.call('run.list', {})).total).toBe(total)
  })

  it('gives another run of the same id a new one, the same everywhere, and changes nothing else', async () => {
    const { session } = source()
    const other = edited((line) => line.replace('"message":"a log line', '"message":"another log line'))
    const done = await importText(session, other)
    expect(done).toMatchObject({ renamed: true, known: false })
    const fresh = asRunId(String(done.runId))
    expect(fresh).not.toBe(runId)
    const { text } = await exportRun(session, { runId: fresh, format: 'jsonl' })
    expect(text.replaceAll(fresh, runId)).toBe(other)
    await session.call('run.delete', { runIds: [fresh] })
  })

  it('keeps keys that would poison prototypes as data', async () => {
    const { json } = await source().session.call('run.result', { runId })
    expect(json).toContain('"__proto__":{"polluted":true}')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('run.import refuses, with line and reason, and keeps nothing', () => {
  const refused = async (text: string): Promise<string[]> => {
    const { session } = source()
    const { total } = await session.call('run.list', {})
    const error: unknown = await importText(session, text).catch((reason: unknown) => reason)
    expect((await session.call('run.list', {})).total).toBe(total)
    expect(error).toMatchObject({ code: 'BAD_REQUEST' })
    return [...(error as { violations: string[] }).violations]
  }
  const swap = (from: string, to: string): string => edited((line) => line.replace(from, to))

  it.each([
    ['an empty file', () => '', /the file is empty/],
    ['what is no run', () => 'hello\nthere\n', /^line 1: it is not JSON/],
    ['JSON of something else', () => '{"runs":[]}\n', /^line 1: it is not the header of an exported run/],
    [
      'a version from the future',
      () => swap('"version":1', '"version":7'),
      /version 7, from a newer Weft.*Update Weft/,
    ],
    [
      'an id that is a path',
      () => swap(`"runId":"${runId}"`, '"runId":"../../x"'),
      /^line 1: runId must match pattern/,
    ],
    ['a file that was cut', () => file.slice(0, file.length / 2), /is not JSON|stops early/],
    [
      'a script that was changed',
      () => swap('needles', 'needless'),
      /^line 2: the script's text does not have the hash/,
    ],
    [
      'an event of no known type',
      () => swap('"type":"phase-started"', '"type":"phase-ended"'),
      /no type of event: "phase-ended"/,
    ],
    [
      'an unknown field',
      () => swap('"type":"phase-started"', '"type":"phase-started","x":1'),
      /^line \d+: event: x is not known/,
    ],
    ['a field that poisons', () => swap('"kind":"end"', '"kind":"end","__proto__":{"a":1}'), /__proto__ is not known/],
    [
      'a gap in the log',
      () => edited((line) => (line.includes('"phase-started"') ? undefined : line)),
      /expected sequence number/,
    ],
    [
      'a log without its end',
      () => edited((line) => (line.includes('"run-ended"') ? undefined : line)),
      /stop before the end|events is/,
    ],
    [
      'a result of a call that is not there',
      () => edited((line) => (/"kind":"call","agent":1,/.test(line) ? undefined : line)),
      /no call line of agent 1/,
    ],
    ['lines in another order', () => `${file}{"kind":"result","value":1}\n`, /"result" may not follow "end"/],
    ['counts that are wrong', () => swap('"calls":3', '"calls":4'), /calls is 4, but there are 3/],
    [
      'nesting without end',
      () =>
        edited((line) =>
          line.startsWith('{"kind":"result"')
            ? `{"kind":"result","value":${'['.repeat(300_000)}${']'.repeat(300_000)}}`
            : line,
        ),
      /nested too deeply/,
    ],
  ])('%s', async (_what, make, why) => {
    expect((await refused(make())).join('\n')).toMatch(why)
  })

  it('naming every violation of a file with several', async () => {
    const violations = await refused(
      edited((line) =>
        line
          .replace('"kind":"script","fileName":"test.js"', '"kind":"script","fileName":5')
          .replace('"level":"log"', '"level":"loud"')
          .replace('"durationMs":', '"durationMs":-'),
      ),
    )
    expect(violations.length).toBeGreaterThan(2)
    expect(violations[0]).toBe('line 2: fileName must be string, not 5')
    expect(violations.join('\n')).toMatch(/event: level must be one of .*not "loud"/)
    expect(violations.join('\n')).toMatch(/line \d+: durationMs must be >= 0/)
  })

  it('a piece for an import that nobody began', async () => {
    const call = source().session.call('run.import', { importId: 'x', text: '', last: true })
    await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('run.export as HTML', () => {
  it('is one inert page with verdict, agents, prompts, results, log, args and script', async () => {
    const { text, fileName } = await exportRun(source().session, { runId, format: 'html' })
    expect(fileName).toBe(`test-${runId}.html`)
    expect(text).toMatch(/^<!doctype html>/)
    expect(text).toMatch(/Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/)
    expect(text).toContain('completed with failures: 1 failed of 3 agents')
    for (const part of ['Moving', 'Look', 'eye', 'one!', 'a log line with needles', 'await parallel'])
      expect(text).toContain(part)
    expect(text).not.toMatch(/<script|<img|<link|javascript:|\son\w+=/i)
  })

  it('shows what scripts and agents say as text', async () => {
    const { session, folders } = source()
    const evil = '</pre><script>alert(1)</script><img src=x onerror=alert(2)>"\'&\u0000'
    const body = `log(${JSON.stringify(evil)})\nawait agent(${JSON.stringify(evil)}, { label: ${JSON.stringify(evil.slice(0, -1))} })\nreturn ${JSON.stringify(evil)}`
    const made = await runToEnd(session, { ...wishOf(folders, body), title: evil.slice(0, -1), args: evil })
    const { text } = await exportRun(session, { runId: made.runId, format: 'html' })
    expect(text).not.toMatch(/<script|<img/i)
    expect(text.match(/&lt;script&gt;alert\(1\)/g)?.length).toBeGreaterThan(6)
    expect(text).not.toContain('\u0000')
  })
})
