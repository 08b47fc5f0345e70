import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readAllowedTools, refuseCommand } from '../../../src/agents/model-api/allowed-tools.ts'
import { askLeave } from '../../../src/agents/model-api/leave.ts'
import { openForWriting, openInside } from '../../../src/agents/model-api/tools/confine.ts'
import { listTool } from '../../../src/agents/model-api/tools/list-files.ts'
import { readTool } from '../../../src/agents/model-api/tools/read-file.ts'
import { runTool } from '../../../src/agents/model-api/tools/run-command.ts'
import { searchTool } from '../../../src/agents/model-api/tools/search-files.ts'
import type { Tool, ToolContext } from '../../../src/agents/model-api/tools/tool.ts'
import { writeTool } from '../../../src/agents/model-api/tools/write-file.ts'
import type { PermissionQuestion } from '../../../src/engine/ports.ts'
import { toWellFormed, type JsonObject } from '../../../src/shared/index.ts'
import { makeRequest } from '../requests.ts'

let base: string
let root: string
let context: ToolContext
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'weft-tools-')))
  root = join(base, 'work')
  mkdirSync(join(root, 'src'), { recursive: true })
  mkdirSync(join(base, 'outside'))
  writeFileSync(join(base, 'outside', 'secret.txt'), 'SECRET')
  writeFileSync(join(base, 'work-else.txt'), 'SECRET')
  writeFileSync(join(root, 'src', 'a.ts'), 'one\ntwo TODO\nthree\n')
  symlinkSync(join(base, 'outside'), join(root, 'out'))
  symlinkSync(join(base, 'outside', 'secret.txt'), join(root, 'link.txt'))
  symlinkSync(join(base, 'outside', 'new.txt'), join(root, 'dangling.txt'))
  symlinkSync('src', join(root, 'inner'))
  const { runId, path, attempt } = makeRequest()
  context = {
    root,
    signal: new AbortController().signal,
    env: process.env,
    cookie: { runId, call: path, attempt },
  }
})
afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

const use = (tool: Tool, input: JsonObject): Promise<string> => tool.run(input, context)

describe('outside of the folder', () => {
  it.each([
    ['..', '../outside/secret.txt'],
    ['.. on a detour', 'src/../../outside/secret.txt'],
    ['an absolute path', '/etc/passwd'],
    ['a sibling whose name begins alike', '../work-else.txt'],
    ['a link to a file', 'link.txt'],
    ['a link to a folder', 'out/secret.txt'],
    ['a NUL', 'src/a.ts\0/../../x'],
  ])('nothing is read or written by way of %s', async (_way, path) => {
    await expect(use(readTool, { path })).rejects.toThrow(/outside of the working folder|no NUL|does not exist/)
    await expect(use(writeTool, { path, content: 'x' })).rejects.toThrow(
      /outside of the working folder|no NUL|goes through/,
    )
    expect(readFileSync(join(base, 'outside', 'secret.txt'), 'utf8')).toBe('SECRET')
    expect(readFileSync(join(base, 'work-else.txt'), 'utf8')).toBe('SECRET')
  })

  it('nothing is made by way of a link to what is not there, nor a folder by way of one', async () => {
    await expect(use(writeTool, { path: 'dangling.txt', content: 'x' })).rejects.toThrow()
    await expect(use(writeTool, { path: 'out/deep/new.txt', content: 'x' })).rejects.toThrow('outside')
    expect(readdirSync(join(base, 'outside'))).toEqual(['secret.txt'])
  })

  it('nothing is listed or found', async () => {
    await expect(use(listTool, { path: 'out' })).rejects.toThrow('outside')
    await expect(use(listTool, { path: '..' })).rejects.toThrow('outside')
    expect(await use(searchTool, { text: 'SECRET' })).toBe('[nothing found]')
    expect(await use(listTool, { depth: 9 })).toBe('dangling.txt@\ninner@\nlink.txt@\nout@\nsrc/\nsrc/a.ts')
  })

  it('nothing is opened where a folder becomes a link in between', async () => {
    // The race is lost at most of these places; wherever it is won, nothing of the outside may come of it.
    mkdirSync(join(base, 'outside', 'src'))
    writeFileSync(join(base, 'outside', 'src', 'a.ts'), 'SECRET')
    for (let n = 0; n < 24; n++) {
      const reading = openInside(root, 'src/a.ts').then(
        async (handle) => {
          const text = await handle.readFile('utf8')
          await handle.close()
          return text
        },
        () => '',
      )
      const writing = openForWriting(root, 'src/b.ts').then(
        async (handle) => {
          await handle.writeFile('mine')
          await handle.close()
        },
        () => undefined,
      )
      for (let ticks = n % 8; ticks > 0; ticks--)
        // oxlint-disable-next-line no-await-in-loop -- a little later each time
        await new Promise((resolve) => setImmediate(resolve))
      execFileSync('sh', ['-c', 'mv src was && ln -s ../outside/src src'], { cwd: root })
      // oxlint-disable-next-line no-await-in-loop
      const [text] = await Promise.all([reading, writing])
      expect(text).not.toContain('SECRET')
      expect(readdirSync(join(base, 'outside', 'src'))).toEqual(['a.ts'])
      execFileSync('sh', ['-c', 'rm src && mv was src'], { cwd: root })
    }
  })
})

describe('what is no text file of the user', () => {
  it('is not read: a folder, a pipe, bytes, what is too large', async () => {
    execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: root })
    writeFileSync(join(root, 'bytes'), Buffer.from([1, 0, 2]))
    writeFileSync(join(root, 'large'), Buffer.alloc(17 * 1024 * 1024, 'x'))
    await expect(use(readTool, { path: 'src' })).rejects.toThrow(/is no file|is a folder/)
    await expect(use(readTool, { path: 'pipe' })).rejects.toThrow('is no file')
    await expect(use(readTool, { path: 'bytes' })).rejects.toThrow('no text file')
    await expect(use(readTool, { path: 'large' })).rejects.toThrow('too large')
    await expect(use(readTool, { path: 'gone' })).rejects.toThrow('does not exist')
  })

  it.each(['.git/hooks/pre-commit', '.GIT/config', '.git./config', 'sub/.git', '.g\u200bit/config', 'git~1/config'])(
    'is not written in a repository: %s',
    async (path) => {
      mkdirSync(join(root, '.git', 'hooks'), { recursive: true })
      await expect(use(writeTool, { path, content: 'x' })).rejects.toThrow('.git')
      expect(readdirSync(join(root, '.git', 'hooks'))).toEqual([])
      expect(readdirSync(join(root, '.git'))).toEqual(['hooks'])
    },
  )
})

describe('a tool', () => {
  it('reads lines, as many as are asked for and as fit', async () => {
    expect(await use(readTool, { path: 'inner/a.ts', from: 2, lines: 1 })).toBe(
      'two TODO\n[line 2 of 4; go on with "from": 3]',
    )
    expect(await use(readTool, { path: join(root, 'src/a.ts') })).toBe('one\ntwo TODO\nthree\n')
    await expect(use(readTool, { path: 'src/a.ts', from: 9 })).rejects.toThrow('has only 4 lines')
    await expect(use(readTool, { path: 'src/a.ts', from: 0 })).rejects.toThrow('whole number from 1')
    writeFileSync(join(root, 'wide'), '🧵'.repeat(60_000))
    const cut = await use(readTool, { path: 'wide' })
    expect(cut.length).toBeLessThan(51_000)
    expect(toWellFormed(cut)).toBe(cut)
  })

  it('finds text as it is written, in files of an ending, in any case', async () => {
    expect(await use(searchTool, { text: 'TODO' })).toBe('src/a.ts:2: two TODO')
    expect(await use(searchTool, { text: 'todo' })).toBe('[nothing found]')
    expect(await use(searchTool, { text: 'todo', ignoreCase: true, nameEndsWith: '.ts' })).toBe('src/a.ts:2: two TODO')
    expect(await use(searchTool, { text: '.*', path: 'src' })).toBe('[nothing found]')
    writeFileSync(join(root, 'many'), 'hit\n'.repeat(1_000))
    expect((await use(searchTool, { text: 'hit' })).split('\n')).toHaveLength(301)
  })

  it('writes a whole file, folders included, or one place in it', async () => {
    expect(await use(writeTool, { path: 'new/deep/b.txt', content: 'ü\r\n' })).toBe(
      'new/deep/b.txt is written: 4 bytes',
    )
    expect(readFileSync(join(root, 'new/deep/b.txt'), 'utf8')).toBe('ü\r\n')
    await use(writeTool, { path: 'src/a.ts', replace: 'two', content: '$& 2' })
    expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('one\n$& 2 TODO\nthree\n')
    await use(writeTool, { path: 'inner/a.ts', content: 'short' })
    expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('short')
    await expect(use(writeTool, { path: 'src/a.ts', replace: 'gone', content: '' })).rejects.toThrow('does not stand')
    writeFileSync(join(root, 'twice'), 'aXbX')
    await expect(use(writeTool, { path: 'twice', replace: 'X', content: '' })).rejects.toThrow('more than once')
  })

  it('runs a command in the folder, with what it prints and how it ended', async () => {
    expect(await use(runTool, { command: 'pwd; echo bad >&2; cat; exit 3' })).toBe(`${root}\nbad\n[exit code 3]`)
    expect(await use(runTool, { command: 'kill -9 $$' })).toBe('[ended by SIGKILL]')
  })

  it('keeps the end of what a command prints', async () => {
    const printed = await use(runTool, { command: 'yes ü | head -c 9000000; echo END' })
    expect(printed.length).toBeLessThan(31_000)
    expect(printed).toMatch(/^\[what came before is cut\]\n[\s\S]*ü\nEND\n\[exit code 0\]$/)
  })

  it('ends a command at its limit, and what it left behind', async () => {
    expect(await use(runTool, { command: 'echo begun; sleep 600', seconds: 1 })).toBe('begun\n[ended after 1 s]')
    const printed = await use(runTool, { command: 'sleep 600 & echo $!' })
    const pid = Number(printed.split('\n')[0])
    expect(existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '').toBe(false)
  })
})

describe('leave', () => {
  async function ask(tool: Tool, input: JsonObject, access: 'read' | 'write' | 'full') {
    const asked: PermissionQuestion[] = []
    const request = makeRequest({
      askPermission: (question) => {
        asked.push(question)
        return Promise.resolve({ answer: 'reject', by: 'user' })
      },
    })
    return { allowed: await askLeave(tool, input, access, request, 1), asked }
  }

  it('is asked for writing and running as the settings say', async () => {
    const needed = async (tool: Tool): Promise<boolean[]> =>
      Promise.all(
        (['read', 'write', 'full'] as const).map(
          async (access) => !(await ask(tool, { command: 'x' }, access)).allowed,
        ),
      )
    expect(await needed(readTool)).toEqual([false, false, false])
    expect(await needed(writeTool)).toEqual([true, false, false])
    expect(await needed(runTool)).toEqual([true, true, false])
  })

  it('is asked for in other words for each command, however long', async () => {
    const long = 'x'.repeat(5_000)
    const titles = await Promise.all(
      [`${long}a`, `${long}b`].map(async (command) => (await ask(runTool, { command }, 'write')).asked[0]?.title),
    )
    expect(new Set(titles).size).toBe(2)
    expect((await ask(runTool, { command: 'npm test' }, 'write')).asked).toMatchObject([
      { title: 'run: npm test', detail: '{"command":"npm test"}', options: ['allow-once', 'allow-run', 'reject'] },
    ])
  })
})

describe('commands that are allowed by their beginning', () => {
  const allowed = readAllowedTools(['Bash(git log:*)', 'run(npm test)'])
  const patterns = typeof allowed === 'string' ? undefined : allowed.commands

  it.each(['git log', 'git log -3 --format="%h %s"', '  npm test  '])('take %j', (command) => {
    expect(refuseCommand(command, patterns)).toBeUndefined()
  })

  it.each([
    'git logs',
    'git push',
    'npm test x',
    'git log; rm x',
    'git log && rm x',
    'git log $(rm x)',
    'git log `rm x`',
    'git log\nrm x',
    'git log > x',
    '',
  ])('do not take %j', (command) => {
    expect(refuseCommand(command, patterns)).toMatch(/allowed/)
  })

  it('are no limit where the tool is allowed as a whole, too', () => {
    expect(readAllowedTools(['run', 'run(git log:*)'])).not.toHaveProperty('commands')
  })
})
