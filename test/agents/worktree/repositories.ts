// Real repositories for tests of worktrees, in folders of their own.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createGit, withWorktrees, Worktrees } from '../../../src/agents/index.ts'
import type { AgentBackend, AgentRequest, AgentRunResult } from '../../../src/engine/index.ts'
import { commitAll, git } from '../../support/agents/git.ts'
import { createBackend } from '../../support/engine/scripted-backend.ts'
import { makeRequest, NO_HOST } from '../requests.ts'

/** A folder that is gone after the test, by its real path. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'weft-worktree-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

/** One commit with `a.txt` and `sub/b.txt`. */
export function makeRepository(root: string, name = 'repository'): string {
  const folder = join(root, name)
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '--quiet', '-b', 'main')
  write(folder, 'a.txt', 'a\n')
  write(folder, join('sub', 'b.txt'), 'b\n')
  commitAll(folder, 'first')
  return folder
}

/** What has to be the same after a run as before it. */
export function stateOf(folder: string): object {
  return {
    branch: git(folder, 'rev-parse', '--symbolic-full-name', 'HEAD'),
    head: git(folder, 'rev-parse', 'HEAD'),
    status: git(folder, 'status', '--porcelain'),
    index: git(folder, 'ls-files', '--stage'),
    stash: git(folder, 'stash', 'list'),
    worktrees: git(folder, 'worktree', 'list', '--porcelain'),
  }
}

export interface Isolated {
  worktrees: Worktrees
  /** Where the worktrees are made. */
  folder: string
  /** Runs one isolated call; warnings are kept by code. */
  run(
    call: Partial<AgentRequest>,
    work: Work,
    carry?: boolean,
  ): Promise<{ result: AgentRunResult; warnings: [string, string][] }>
  backend(work: Work, carry?: boolean): AgentBackend
}

export type Work = (request: AgentRequest) => AgentRunResult | string | Promise<AgentRunResult | string>

export function makeIsolated(root: string, env: NodeJS.ProcessEnv = process.env): Isolated {
  const folder = join(root, 'data', 'worktrees')
  const worktrees = new Worktrees({ folder, git: createGit(env) })
  const backend = (work: Work, carry = false): AgentBackend =>
    withWorktrees(createBackend(work, { capabilities: { worktree: false } }), worktrees, carry)
  return {
    worktrees,
    folder,
    backend,
    async run(call, work, carry) {
      const warnings: [string, string][] = []
      const request = makeRequest({
        isolation: 'worktree',
        warn: (code, message) => warnings.push([code, message]),
        ...call,
      })
      const signal = new AbortController().signal
      const result = await backend(work, carry).runner.run(request, NO_HOST, signal, () => undefined)
      return { result, warnings }
    },
  }
}
