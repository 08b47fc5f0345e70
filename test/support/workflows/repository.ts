// A real git repository for a workflow to work in, and git as a witness of what is in it. Nobody's configuration counts.

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export class Repository {
  readonly folder: string

  /** Makes the folder a repository with the branch `main`, without commits. */
  constructor(folder: string) {
    this.folder = folder
    this.git('init', '--quiet', '--initial-branch=main')
  }

  /** What git prints. Throws with its words. */
  git(...args: string[]): string {
    return execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
      cwd: this.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_AUTHOR_NAME: 'Test',
        GIT_AUTHOR_EMAIL: 'test@example.com',
        GIT_COMMITTER_NAME: 'Test',
        GIT_COMMITTER_EMAIL: 'test@example.com',
      },
    })
  }

  /** Writes files, by lines; undefined removes one. */
  write(files: Readonly<Record<string, readonly string[] | undefined>>): void {
    for (const [name, lines] of Object.entries(files)) {
      const path = join(this.folder, name)
      mkdirSync(dirname(path), { recursive: true })
      if (lines === undefined) rmSync(path)
      else writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
    }
  }

  /** Writes and commits; gives the commit's hash. */
  commit(message: string, files: Parameters<Repository['write']>[0]): string {
    this.write(files)
    this.git('add', '--all')
    this.git('commit', '--quiet', '-m', message)
    return this.git('rev-parse', 'HEAD').trim()
  }

  /** Lines of a file as it is in a commit. */
  lines(file: string, commit = 'HEAD'): string[] {
    return this.git('show', `${commit}:${file}`).replace(/\n$/, '').split('\n')
  }

  /** `<file>:<line>` of the one line of a commit's file that holds this text. */
  place(file: string, text: string, commit = 'HEAD'): string {
    const found = this.lines(file, commit).flatMap((line, index) => (line.includes(text) ? [index + 1] : []))
    if (found.length !== 1) throw new Error(`${file} has ${found.length} lines with "${text}"`)
    return `${file}:${found[0]}`
  }

  /** The commit that a line of a commit's file comes from, as `git blame` tells. */
  originOf(file: string, line: number, commit = 'HEAD'): string {
    return this.git('blame', '--porcelain', `-L${line},${line}`, commit, '--', file).slice(0, 40)
  }

  /** All that a run must not change: branch, commit, stashes, branches, index and working tree. */
  snapshot(): string[] {
    return [
      this.git('symbolic-ref', 'HEAD'),
      this.git('for-each-ref', '--format=%(refname) %(objectname)'),
      this.git('stash', 'list'),
      this.git('status', '--porcelain=v2', '--branch', '--ignored', '--untracked-files=all'),
      this.git('diff', 'HEAD'),
      this.git('worktree', 'list'),
    ]
  }
}
