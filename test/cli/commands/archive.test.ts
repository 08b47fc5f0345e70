// Commands on runs that are over, in this process, against one host.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { weft, writeScript, type Said } from '../../support/cli/in-process.ts'
import { runToEnd } from '../../support/host/counting.ts'
import { makeFolders, shareHost, useEchoAgent } from '../../support/host/make-host.ts'
import { waitUntil } from '../../support/host/wait-until.ts'

const shared = shareHost(useEchoAgent, { socket: true })
const run = (...argv: string[]): Promise<Said> => weft(shared().folders, ...argv)

let first: string
let second: string

beforeAll(async () => {
  const { folders } = shared()
  writeScript(folders, 'walk', "log('under the bridge')\nreturn await agent(args.prompt, { label: 'eye' })")
  const start = async (prompt: string): Promise<string> => {
    const said = await run('run', 'walk.js', '--args', JSON.stringify({ prompt }), '--json')
    return String((JSON.parse(said.out) as { runId: unknown }).runId)
  }
  first = await start('see the river')
  second = await start('see the lake')
})

describe('weft diff', () => {
  it('shows inputs, calls, result and totals of both', async () => {
    const { code, out } = await run('diff', first, second.slice(-8))
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^a ${first}  walk, .*completed\nb ${second}  walk`))
    expect(out).toContain('Script the same\nGiven\n  args\n')
    expect(out).toMatch(
      /Calls 1 changed\n {2}~ 1 eye \(.*\) {2}.*tokens\n {6}prompt\n {8}- see the river\n {8}\+ see the lake\n/,
    )
    expect(out).toMatch(/Result 1 difference\n {2}\(the whole\)\n {4}- "see the river!"/)
    expect(out).toMatch(/output tokens +13 +12/)
  })

  it('counts the same calls and lists them with --all', async () => {
    expect((await run('diff', first, first)).out).toContain('Calls 1 same\nResult the same\n')
    expect((await run('diff', first, first, '--all')).out).toMatch(/Calls 1 same\n {2}= 1 eye/)
    const { out } = await run('diff', first, second, '--json')
    expect(JSON.parse(out)).toMatchObject({ a: { runId: first }, fates: { changed: 1 } })
  })
})

describe('weft export and weft import', () => {
  it('carry a run to another data folder, whole', async () => {
    const { folders } = shared()
    const made = await run('export', first, '--json')
    const { file } = JSON.parse(made.out) as { file: string }
    expect(file).toBe(join(folders.workspace, `walk-${first}.weft.jsonl`))
    const other = await makeFolders()
    await useEchoAgent(other)
    expect((await weft(other, 'import', file)).out).toBe(`imported ${first}\n`)
    expect((await weft(other, 'import', file)).out).toBe(
      `${first} is here already, and the same: nothing was written\n`,
    )
    expect((await weft(other, 'export', first, '-o', '-')).out).toBe(readFileSync(file, 'utf8'))
    const resumed = await weft(other, 'resume', first, '--cwd', other.workspace, '--json')
    expect(JSON.parse(resumed.out)).toMatchObject({ result: 'see the river!', calls: { replayed: 1, completed: 0 } })
  })

  it('never replace a file unless told to, and leave no halves', async () => {
    const { folders } = shared()
    const file = join(folders.workspace, 'page.html')
    writeFileSync(file, 'mine')
    const refused = await run('export', first, '--html', '-o', 'page.html')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('exists already') })
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect((await run('export', first, '--html', '-o', 'page.html', '--force')).out).toBe(`${first} is in ${file}\n`)
    expect(readFileSync(file, 'utf8')).toContain('see the river!')
    expect((await run('export', first, '-o', join('no', 'folder'))).code).toBe(2)
    expect(readdirSync(folders.workspace).filter((name) => name.includes('tmp'))).toEqual([])
  })

  it('say which lines of a file are wrong, and that a file is not there', async () => {
    const { folders } = shared()
    const { out } = await run('export', first, '-o', '-')
    writeFileSync(
      join(folders.workspace, 'bad.jsonl'),
      out.replace('"kind":"call"', '"kind":"calls"').replace('"seq":2', '"seq":9'),
    )
    const { code, err } = await run('import', 'bad.jsonl')
    expect(code).toBe(2)
    expect(err).toMatch(/nothing of it was kept[^]*line \d+: event 9[^]*line \d+: it is of no known kind/)
    expect(await run('import', 'nowhere.jsonl')).toMatchObject({
      code: 2,
      err: expect.stringContaining("nowhere.jsonl can't be read"),
    })
    const json = await run('import', 'nowhere.jsonl', '--json')
    expect(JSON.parse(json.out)).toMatchObject({ outcome: 'error' })
  })

  it('keep standard output for the file alone', async () => {
    expect(await run('export', first, '-o', '-', '--json')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--json'),
    })
  })
})

describe('weft runs and weft search', () => {
  it('name the harness that started a run', async () => {
    const { host, folders } = shared()
    const harness = host.openSession({ kind: 'harness', name: 'codex', workspace: folders.workspace })
    const { workspace } = folders
    const source = { kind: 'path', path: join(workspace, 'walk.js') } as const
    const { runId } = await runToEnd(harness, { workspace, source, args: { prompt: 'see' } })
    expect((await run('runs', '--started-by', 'harness')).out).toMatch(new RegExp(`${runId}.*walk, by codex`))
    expect((await run('runs', '--started-by', 'cli')).out).not.toContain('by codex')
    await run('delete', runId)
  })

  it('narrow the list by text, time, starter and folder', async () => {
    const ids = async (...argv: string[]): Promise<string[]> =>
      (JSON.parse((await run('runs', '--json', ...argv)).out) as { runId: string }[]).map(({ runId }) => runId)
    expect(await ids('--text', 'WALK')).toEqual([second, first])
    expect(await ids('--text', 'nothing has this')).toEqual([])
    expect(await ids('--since', '1h', '--started-by', 'cli', '--here')).toEqual([second, first])
    expect(await ids('--until', '1h')).toEqual([])
    expect(await ids('--started-by', 'window')).toEqual([])
    expect(await run('runs', '--since', 'soon')).toMatchObject({ code: 2, err: expect.stringContaining('Give a date') })
  })

  it('find words with their places', async () => {
    await waitUntil('the texts are in the index', async () => (await run('search', 'lake')).out.includes('returned:'))
    const { out } = await run('search', 'lake')
    expect(out).toMatch(new RegExp(`^${second}  walk, .*\n(?:  .*\n)*  agent 1, prompt: see the lake\n`))
    expect(out).not.toContain(first)
    expect((await run('search', 'the bridge under')).out).toBe('nothing found\n')
    expect((await run('search', 'bridge', 'under', '--limit', '1')).out).toContain('… the first 1 place (--limit)')
    expect(JSON.parse((await run('search', 'lake', '--json')).out)).toHaveLength(3)
  })
})

describe('weft run and weft resume', () => {
  it('hint at a run that was interrupted, until it is resumed', async () => {
    const { folders } = shared()
    expect((await run('run', 'walk.js', '--args', '{"prompt":"x"}')).err).not.toContain('interrupted')
    const { out } = await run('export', first, '-o', '-')
    writeFileSync(
      join(folders.workspace, 'cut.jsonl'),
      out.replace('"outcome":"completed","degraded"', '"outcome":"interrupted","degraded"'),
    )
    const { runId } = JSON.parse((await run('import', 'cut.jsonl', '--json')).out) as { runId: string }
    const hinted = await run('run', 'walk.js', '--args', '{"prompt":"x"}', '--json')
    expect(hinted.err).toMatch(
      new RegExp(`a run of walk from .* was interrupted with 1 finished; "weft resume ${runId}" goes on`),
    )
    const resumed = await run('resume', runId, '--json')
    expect(resumed).toMatchObject({ code: 0, err: expect.stringContaining('replays 1 call, runs none\n') })
    expect((await run('run', 'walk.js', '--args', '{"prompt":"x"}', '--json')).err).not.toContain('interrupted')
    expect((await run('delete', runId)).code).toBe(0)
  })

  it('do without args and budget where they are told so', async () => {
    const { folders } = shared()
    writeScript(folders, 'asks', "await agent('a')\nreturn { given: args ?? 'none', budget: budget.total }")
    const early = await run('run', 'asks.js', '--args', '1', '--budget', '5k', '--json')
    const { runId } = JSON.parse(early.out) as { runId: string }
    const { out } = await run('resume', runId, '--args', 'none', '--budget', 'none', '--json')
    expect(JSON.parse(out)).toMatchObject({ result: { given: 'none', budget: null }, calls: { replayed: 1 } })
  })
})

describe('weft pin, unpin and delete', () => {
  it('keep a run and throw others away', async () => {
    const { out } = await run('run', 'walk.js', '--args', '{"prompt":"x"}', '--json')
    const { runId } = JSON.parse(out) as { runId: string }
    expect((await run('pin', runId)).out).toBe(`${runId} is kept whatever its age\n`)
    expect((await run('runs')).out).toMatch(/walk \(pinned\)/)
    expect(JSON.parse((await run('unpin', runId, '--json')).out)).toEqual({ runId, pinned: false })
    expect(await run('delete', runId, 'ZZZZZZ')).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no run ZZZZZZ'),
    })
    expect((await run('delete', runId, runId.slice(-10))).out).toBe(`deleted 1 run: ${runId}\n`)
    expect((await run('show', runId)).code).toBe(2)
  })
})

describe('weft doctor', () => {
  it('tells of the host that runs, and is content', async () => {
    const { folders } = shared()
    const { code, out } = await run('doctor', '--json')
    expect(code).toBe(0)
    const report = JSON.parse(out) as Record<string, unknown>
    expect(Object.keys(report)).toEqual(['host', 'dataDir', 'integrity', 'disk', 'leftovers', 'advice'])
    expect(report).toMatchObject({
      host: { pid: process.pid, version: '0.0.0-test', socket: expect.any(String) },
      dataDir: folders.dataDir,
      integrity: { ok: true, problems: [] },
      leftovers: [],
      // An exit of 1 is explained here.
      advice: [],
    })
    expect((await run('doctor')).out).toMatch(
      /a host runs: pid \d+[^]*database sound: \d+ runs[^]*nothing left lying about/,
    )
  })

  it('takes a database that its first host has only just made for what it is', async () => {
    const folders = await makeFolders()
    new Database(join(folders.dataDir, 'weft.db')).exec('VACUUM').close()
    const { code, out } = await weft(folders, 'doctor', '--json')
    expect([code, JSON.parse(out)]).toMatchObject([0, { integrity: { ok: true, runs: 0 }, advice: [] }])
  })

  it('works without a host, starts none, and names what was left behind', async () => {
    const folders = await makeFolders()
    writeFileSync(join(folders.dataDir, 'weft.db.salvaged.db'), '')
    writeFileSync(join(folders.dataDir, 'settings.json.broken-2026'), '')
    writeFileSync(
      join(folders.dataDir, 'owner.json'),
      JSON.stringify({ pid: 2 ** 22 + 1, version: '1', socket: null, startedAt: 0 }),
    )
    const { code, out } = await weft(folders, 'doctor', '--json')
    expect([code, JSON.parse(out)]).toMatchObject([0, { host: null, integrity: { ok: true, runs: 0 } }])
    const { leftovers } = JSON.parse(out) as { leftovers: { kind: string }[] }
    expect(leftovers.map(({ kind }) => kind).sort()).toEqual(['database', 'owner', 'settings'])
    expect(existsSync(join(folders.dataDir, 'weft.db'))).toBe(false)
  })

  it('finds a broken database, says what to do, and exits with 1', async () => {
    const folders = await makeFolders()
    mkdirSync(folders.dataDir, { recursive: true })
    writeFileSync(
      join(folders.dataDir, 'weft.db'),
      'this is no database at all, but it is long enough to look at'.repeat(100),
    )
    const { code, out } = await weft(folders, 'doctor')
    expect(code).toBe(1)
    expect(out).toMatch(/no host runs[^]*database not sound[^]*is not a SQLite database[^]*restore a backup/)
  })
})
