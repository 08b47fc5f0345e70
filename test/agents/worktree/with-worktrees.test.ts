import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asAgentNumber, asRunId } from '../../../src/shared/index.ts'
import { makeRequest, NO_HOST } from '../requests.ts'
import { commitAll, git } from '../../support/agents/git.ts'
import { makeFolder, makeIsolated, makeRepository, stateOf, write } from './repositories.ts'

const USAGE = { outputTokens: 10 }

describe('an agent in a worktree of its own', () => {
  test('works on the commit that is checked out, in the folder of its workspace, and leaves nothing when it changes nothing', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    write(repository, 'a.txt', 'second\n')
    const head = commitAll(repository, 'second')
    const before = stateOf(repository)
    const isolated = makeIsolated(root)
    const { result, warnings } = await isolated.run({ cwd: join(repository, 'sub') }, ({ cwd, isolation }) => {
      expect(cwd.startsWith(isolated.folder)).toBe(true)
      expect(isolation).toBeUndefined()
      expect(git(cwd, 'rev-parse', 'HEAD')).toBe(head)
      return readFileSync(join(cwd, 'b.txt'), 'utf8')
    })
    expect(result).toEqual({ kind: 'ok', output: 'b\n', usage: USAGE })
    expect(warnings).toEqual([])
    expect(stateOf(repository)).toEqual(before)
    expect(readdirSync(isolated.folder)).toEqual([])
  })

  test('has its changes on a branch, named in its result; the checkout stays as it was', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    write(repository, 'own.txt', 'mine\n')
    git(repository, 'stash', 'push', '--include-untracked', '--quiet')
    const before = stateOf(repository)
    const isolated = makeIsolated(root)
    const call = { cwd: repository, runId: asRunId('RUN1'), agent: asAgentNumber(7), label: 'add\n  a file' }
    const { result } = await isolated.run(call, ({ cwd }) => {
      write(cwd, 'ä ö.txt', 'new\n')
      rmSync(join(cwd, 'a.txt'))
      return 'done'
    })
    expect(result).toEqual({ kind: 'ok', output: 'done', usage: USAGE, branch: 'weft/RUN1/7' })
    expect(git(repository, 'diff', '--name-status', '-z', 'main', 'weft/RUN1/7')).toBe('D\0a.txt\0A\0ä ö.txt\0')
    expect(git(repository, 'log', '-1', '--format=%an: %B', 'weft/RUN1/7')).toBe(
      'Weft: add a file\n\nWeft run RUN1, agent 7, attempt 1.\n',
    )
    expect(stateOf(repository)).toEqual(before)
    expect(readdirSync(isolated.folder)).toEqual([])
  })

  test('that committed by itself has its own commits on the branch', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const { result } = await makeIsolated(root).run({ cwd: repository, runId: asRunId('RUN2') }, ({ cwd }) => {
      write(cwd, 'c.txt', 'c\n')
      return commitAll(cwd, 'by the agent')
    })
    expect(result).toMatchObject({ branch: 'weft/RUN2/1', output: git(repository, 'rev-parse', 'weft/RUN2/1') })
  })

  test('never moves a branch that has its name already', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    git(repository, 'branch', 'weft/RUN3/1')
    const old = git(repository, 'rev-parse', 'weft/RUN3/1')
    const { result } = await makeIsolated(root).run({ cwd: repository, runId: asRunId('RUN3') }, ({ cwd }) => {
      write(cwd, 'c.txt', 'c\n')
      return 'done'
    })
    expect(result).toMatchObject({ branch: 'weft/RUN3/1-2' })
    expect(git(repository, 'rev-parse', 'weft/RUN3/1')).toBe(old)
  })

  test('finds a name where a branch called weft leaves no room below it', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    git(repository, 'branch', 'weft')
    const { result } = await makeIsolated(root).run({ cwd: repository, runId: asRunId('RUN4') }, ({ cwd }) => {
      write(cwd, 'c.txt', 'c\n')
      return 'done'
    })
    expect(result).toMatchObject({ branch: 'weft-RUN4-1' })
  })

  test('is told once a run of files that are not committed and so not in it', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    write(repository, 'a.txt', 'changed\n')
    write(repository, 'new.txt', 'new\n')
    const isolated = makeIsolated(root)
    const { warnings } = await isolated.run({ cwd: repository }, ({ cwd }) => readFileSync(join(cwd, 'a.txt'), 'utf8'))
    const message = `${repository} has 2 files that are not committed: agents in worktrees see the last commit only`
    expect(warnings).toEqual([['worktree/uncommitted', message]])
    expect(readFileSync(join(repository, 'a.txt'), 'utf8')).toBe('changed\n')
  })

  test('begins with what is not committed when that is asked for; only its own changes count', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const latin = Buffer.from([0x67, 0x72, 0xfc, 0x6e, 0x0a])
    writeFileSync(join(repository, 'a.txt'), latin)
    write(repository, 'staged.txt', 'staged\n')
    git(repository, 'add', 'staged.txt')
    write(repository, join('sub', 'neu – 本.txt'), 'new\n')
    rmSync(join(repository, 'sub', 'b.txt'))
    write(repository, '.gitignore', 'ignored.txt\n')
    write(repository, 'ignored.txt', 'ignored\n')
    const before = stateOf(repository)
    const isolated = makeIsolated(root)
    const call = { cwd: repository, runId: asRunId('RUN10') }
    const idle = await isolated.run(
      call,
      ({ cwd }) => {
        expect(readFileSync(join(cwd, 'a.txt'))).toEqual(latin)
        expect(readFileSync(join(cwd, 'sub', 'neu – 本.txt'), 'utf8')).toBe('new\n')
        return readdirSync(cwd).join(' ')
      },
      true,
    )
    expect(idle.result).toEqual({ kind: 'ok', output: '.git .gitignore a.txt staged.txt sub', usage: USAGE })
    expect(idle.warnings).toEqual([
      [
        'worktree/uncommitted',
        expect.stringMatching(/has \d files that are not committed: agents in worktrees begin with them$/),
      ],
    ])
    const busy = await isolated.run(
      call,
      ({ cwd }) => {
        write(cwd, 'own.txt', 'own\n')
        return 'done'
      },
      true,
    )
    expect(busy.result).toMatchObject({ branch: 'weft/RUN10/1' })
    expect(git(repository, 'diff', '--name-only', 'weft/RUN10/1~1', 'weft/RUN10/1')).toBe('own.txt')
    expect(git(repository, 'config', 'branch.weft/RUN10/1.weftBase')).toBe(
      git(repository, 'rev-parse', 'weft/RUN10/1~1'),
    )
    expect(stateOf(repository)).toEqual(before)
    expect(readdirSync(isolated.folder)).toEqual([])
  })

  test('is isolated from a linked worktree that it is started in', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const linked = join(root, 'linked')
    git(repository, 'worktree', 'add', '--quiet', '-b', 'side', linked)
    write(linked, 'a.txt', 'side\n')
    const head = commitAll(linked, 'side')
    const { result } = await makeIsolated(root).run({ cwd: linked }, ({ cwd }) => {
      write(cwd, 'a.txt', 'agent\n')
      return git(cwd, 'rev-parse', 'HEAD')
    })
    expect(result).toMatchObject({ kind: 'ok', output: head })
    expect(readFileSync(join(linked, 'a.txt'), 'utf8')).toBe('side\n')
  })

  test('is not led elsewhere by the environment of a git hook', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const other = makeRepository(root, 'other')
    const env = { ...process.env, GIT_DIR: join(other, '.git'), GIT_INDEX_FILE: join(other, '.git', 'index') }
    const { result } = await makeIsolated(root, env).run({ cwd: repository, runId: asRunId('RUN5') }, ({ cwd }) => {
      write(cwd, 'c.txt', 'c\n')
      return 'done'
    })
    expect(result).toMatchObject({ branch: 'weft/RUN5/1' })
    expect(git(other, 'branch', '--list', 'weft/*')).toBe('')
  })

  test('whose attempt fails has what it changed on a branch, and the user is told', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const dead = { kind: 'dead', error: 'gone', failure: 'crashed' } as const
    const { result, warnings } = await makeIsolated(root).run(
      { cwd: repository, runId: asRunId('RUN6') },
      ({ cwd }) => {
        write(cwd, 'half.txt', 'half\n')
        return dead
      },
    )
    expect(result).toEqual({ ...dead, branch: 'weft/RUN6/1' })
    expect(warnings).toEqual([['worktree/branch', 'what attempt 1 had changed is on the branch weft/RUN6/1']])
  })

  test('keeps the folder when it holds a repository that no branch can hold', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const isolated = makeIsolated(root)
    const { result, warnings } = await isolated.run({ cwd: repository, runId: asRunId('RUN7') }, ({ cwd }) => {
      makeRepository(cwd, 'inner')
      write(cwd, 'c.txt', 'c\n')
      return 'done'
    })
    const path = join(isolated.folder, 'RUN7', '1-1')
    expect(result).toMatchObject({ kind: 'ok', branch: 'weft/RUN7/1' })
    const message = `${path} is kept: a branch can't hold the repository inside of it at inner`
    expect(warnings).toEqual([['worktree/kept', message]])
    expect(readFileSync(join(path, 'inner', 'a.txt'), 'utf8')).toBe('a\n')
  })

  test('that removes its own folder ends like any other, and the next one gets a new one', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const isolated = makeIsolated(root)
    const call = { cwd: repository, runId: asRunId('RUN8') }
    const first = await isolated.run(call, ({ cwd }) => {
      rmSync(cwd, { recursive: true })
      return 'gone'
    })
    expect(first.result).toMatchObject({ kind: 'ok', output: 'gone' })
    const second = await isolated.run(call, ({ cwd }) => readFileSync(join(cwd, 'a.txt'), 'utf8'))
    expect(second.result).toMatchObject({ kind: 'ok', output: 'a\n' })
    expect(git(repository, 'worktree', 'list').split('\n')).toHaveLength(1)
  })

  test('without isolation works where it is told to', async () => {
    const root = makeFolder()
    const isolated = makeIsolated(root)
    const { runner } = isolated.backend(({ cwd }) => cwd)
    const signal = new AbortController().signal
    const result = await runner.run(makeRequest({ cwd: root }), NO_HOST, signal, () => undefined)
    expect(result).toMatchObject({ output: root })
    expect(existsSync(isolated.folder)).toBe(false)
  })
})

describe('an agent that is cancelled', () => {
  test('while its worktree is made never starts, and leaves nothing', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const before = stateOf(repository)
    const isolated = makeIsolated(root)
    const cancel = new AbortController()
    const { runner } = isolated.backend(() => {
      throw new Error('the agent started')
    })
    const request = makeRequest({ isolation: 'worktree', cwd: repository })
    const running = runner.run(request, NO_HOST, cancel.signal, () => undefined)
    cancel.abort()
    expect(await running).toMatchObject({ kind: 'dead', error: 'stopped before it began' })
    expect(stateOf(repository)).toEqual(before)
    expect(readdirSync(isolated.folder)).toEqual([])
  })

  test('while its changes are committed has them on a branch all the same, and leaves nothing', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const isolated = makeIsolated(root)
    const cancel = new AbortController()
    const { runner } = isolated.backend(({ cwd }) => {
      write(cwd, 'c.txt', 'c\n')
      // Heard when the agent has ended and its worktree is looked at.
      setImmediate(() => cancel.abort())
      return 'done'
    })
    const request = makeRequest({ isolation: 'worktree', cwd: repository, runId: asRunId('RUN11') })
    const result = await runner.run(request, NO_HOST, cancel.signal, () => undefined)
    expect(cancel.signal.aborted).toBe(true)
    expect(result).toMatchObject({ branch: 'weft/RUN11/1' })
    expect(git(repository, 'show', 'weft/RUN11/1:c.txt')).toBe('c')
    expect(readdirSync(isolated.folder)).toEqual([])
    expect(git(repository, 'worktree', 'list').split('\n')).toHaveLength(1)
  })
})

describe('a fan-out of sixteen', () => {
  test('in a repository with a submodule and other letters gets sixteen trees and sixteen branches, and leaves nothing', async () => {
    const root = makeFolder()
    const library = makeRepository(root, 'bibliothek')
    const repository = makeRepository(root, 'größe – 本')
    git(repository, 'submodule', '--quiet', 'add', library, 'modul')
    commitAll(repository, 'with a submodule')
    const before = stateOf(repository)
    const isolated = makeIsolated(root)
    const runId = asRunId('RUN9')
    let waiting = 0
    let open: () => void = () => undefined
    const all = new Promise<void>((resolve) => {
      open = resolve
    })
    const folders = new Set<string>()
    const ends = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        isolated.run({ cwd: repository, runId, agent: asAgentNumber(index + 1) }, async ({ cwd, agent }) => {
          folders.add(cwd)
          if (++waiting === 16) open()
          await all
          write(cwd, `datei-${agent}-ü.txt`, String(agent))
          return 'done'
        }),
      ),
    )
    expect(folders.size).toBe(16)
    for (const [index, { result }] of ends.entries()) {
      const branch = `weft/RUN9/${index + 1}`
      expect(result).toMatchObject({ kind: 'ok', branch })
      expect(git(repository, 'diff', '--name-only', '-z', 'main', branch)).toBe(`datei-${index + 1}-ü.txt\0`)
    }
    expect(ends[0]!.warnings).toEqual([
      ['worktree/submodules', `${repository} has submodules: their folders are empty in an agent's worktree`],
    ])
    expect(stateOf(repository)).toEqual(before)
    expect(readdirSync(isolated.folder)).toEqual([])
    expect(existsSync(join(repository, '.git', 'index.lock'))).toBe(false)
    // Some 150 processes of git, one after the other in the same repository.
  }, 60_000)
})

describe('a workspace that can give no worktree is refused in words before the agent starts:', () => {
  const refused = async (root: string, cwd: string, env?: NodeJS.ProcessEnv): Promise<string> => {
    const isolated = makeIsolated(root, env)
    const { result } = await isolated.run({ cwd }, () => {
      throw new Error('the agent started')
    })
    expect(result).toMatchObject({ kind: 'dead', notStarted: true })
    expect(existsSync(isolated.folder) ? readdirSync(isolated.folder) : []).toEqual([])
    return 'error' in result ? result.error : ''
  }
  const tail = 'an agent with isolation: "worktree" needs a git repository with a commit'

  test('no repository', async () => {
    const root = makeFolder()
    const cannot = `${root} can't give an agent a worktree of its own`
    expect(await refused(root, root)).toBe(`${cannot}: it is in no git repository; ${tail}`)
  })

  test('no commit', async () => {
    const root = makeFolder()
    git(root, 'init', '--quiet', '-b', 'master', 'empty')
    const folder = join(root, 'empty')
    expect(await refused(root, folder)).toContain('its branch has no commit yet')
  })

  test('a bare repository', async () => {
    const root = makeFolder()
    git(root, 'init', '--quiet', '--bare', 'bare.git')
    expect(await refused(root, join(root, 'bare.git'))).toContain('its repository is bare')
  })

  test('no git', async () => {
    const root = makeFolder()
    mkdirSync(join(root, 'bin'))
    const error = await refused(root, makeRepository(root), { PATH: join(root, 'bin') })
    expect(error).toContain('install git')
  })
})

describe('what a host that was killed left behind', () => {
  test('is removed when it is unchanged, kept and told of when it is not', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const isolated = makeIsolated(root)
    const runId = asRunId('RUN10')
    const call = { cwd: repository, runId, attempt: 1, label: 'x' }
    await isolated.worktrees.create({ ...call, agent: 1 })
    const changed = await isolated.worktrees.create({ ...call, agent: 2 })
    write(changed.path, 'work.txt', 'work\n')
    const committed = await isolated.worktrees.create({ ...call, agent: 3 })
    write(committed.path, 'work.txt', 'work\n')
    commitAll(committed.path, 'on no branch')
    // The next host knows nothing but the folder.
    const next = makeIsolated(root)
    const reason = 'it holds changes that are nowhere else'
    expect(await next.worktrees.reconcile()).toEqual([
      { path: changed.path, runId, agent: 2, reason },
      { path: committed.path, runId, agent: 3, reason },
    ])
    expect(readFileSync(join(changed.path, 'work.txt'), 'utf8')).toBe('work\n')
    expect(git(repository, 'worktree', 'list').split('\n')).toHaveLength(3)
    // And it says so every time.
    expect(await next.worktrees.reconcile()).toHaveLength(2)
  })

  test('is forgotten when folder or repository are gone', async () => {
    const root = makeFolder()
    const repository = makeRepository(root)
    const other = makeRepository(root, 'other')
    const isolated = makeIsolated(root)
    const call = { runId: 'RUN11', attempt: 1, label: 'x' }
    const gone = await isolated.worktrees.create({ ...call, cwd: repository, agent: 1 })
    rmSync(gone.path, { recursive: true })
    const orphan = await isolated.worktrees.create({ ...call, cwd: other, agent: 2 })
    rmSync(other, { recursive: true })
    const left = await makeIsolated(root).worktrees.reconcile()
    // Without its repository nobody can tell what was changed: it stays.
    expect(left).toMatchObject([{ path: orphan.path, agent: 2 }])
    expect(git(repository, 'worktree', 'list').split('\n')).toHaveLength(1)
  })
})
