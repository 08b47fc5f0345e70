// A bundled workflow on a real repository by a real agent's command line; only the model is none.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunEnvelope } from '../../src/shared/index.ts'
import { makeClientWorld, processesOf, type ClientWorld, type ModelRule } from '../support/clients/clients.ts'

const WEFT = resolve(import.meta.dirname, '../../bin/weft.mjs')
const RULES: ModelRule[] = [
  {
    match: 'List the files that',
    call: { tool: 'exec_command', args: { cmd: 'git diff --name-only HEAD~1 HEAD > listed.txt; cat listed.txt' } },
    json: { files: ['src/cart.js'], error: null },
  },
  {
    match: 'Review the change to "src/cart.js".*Look only for security',
    json: {
      findings: [{ line: 2, quote: '  return eval(rule)', problem: 'eval runs text as code.', severity: 'high' }],
    },
  },
  { match: 'Review the change', json: { findings: [] } },
  { match: 'A reviewer claims', json: { real: true, reason: 'It is there.' } },
]

let world: ClientWorld
beforeAll(async () => {
  world = await makeClientWorld(RULES)
})
afterAll(() => world.dispose())

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com']
  return execFileSync('git', [...identity, ...args], { cwd: world.cwd, encoding: 'utf8', env: world.env })
}

it('review-diff finds what was put into a change, by codex, and says what it took', () => {
  const file = join(world.cwd, 'src/cart.js')
  mkdirSync(join(world.cwd, 'src'))
  git('init', '-q', '-b', 'main')
  writeFileSync(file, 'export const discount = (rule) => rule\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  writeFileSync(file, 'export const discount = (rule) => {\n  return eval(rule)\n}\n')
  git('commit', '-qam', 'second')
  const dataDir = join(world.root, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  const backends = { codex: { kind: 'command', preset: 'codex', access: 'full' } }
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify({ backends, defaultBackend: 'codex' }))
  const done = spawnSync(process.execPath, [WEFT, '--data-dir', dataDir, 'run', 'review-diff', '--json'], {
    cwd: world.cwd,
    env: world.env,
    encoding: 'utf8',
  })
  expect({ code: done.status, said: done.stderr }).toMatchObject({ code: 0 })
  const envelope = JSON.parse(done.stdout) as RunEnvelope // What `weft run --json` prints.
  expect(envelope).toMatchObject({
    workflow: 'review-diff',
    outcome: 'completed',
    simulated: false,
    degraded: false,
    // One lists, three look at the one file from their angles, two sceptics look at the one finding.
    agentsStarted: 6,
    result: {
      files: ['src/cart.js'],
      findings: [
        { file: 'src/cart.js', line: 2, severity: 'high', votes: '2/2', reasons: ['It is there.', 'It is there.'] },
      ],
    },
  })
  // 56 a model's turn, and the one who lists has two.
  expect(envelope.usage.outputTokens).toBe(7 * 56)
  // The agent has really worked in the repository, and left its branch alone.
  expect(readFileSync(join(world.cwd, 'listed.txt'), 'utf8')).toBe('src/cart.js\n')
  expect(git('status', '--porcelain', '--untracked-files=no')).toBe('')
  expect(processesOf(String(envelope.runId))).toEqual([])
})
