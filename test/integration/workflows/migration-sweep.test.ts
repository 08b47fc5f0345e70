import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useWorkbench, type Workbench } from '../../support/cli/workbench.ts'
import { Repository } from '../../support/workflows/repository.ts'

const PATIENCE_MS = 300_000
const AGENT = '../workflows/working-agent.mjs'
const ARGS = JSON.stringify({ change: 'Rename the function `oldName` to `newName`.', where: ['src', 'docs/*.md'] })

const FILES = {
  'src/one.js': ['export function oldName() {}', 'export const oldNames = [] // another word'],
  'src/sub/two words.js': ["import { oldName } from '../one.js'", 'oldName()', 'oldName()'],
  'src/made.js': ['// generated', 'oldName()'],
  'src/fine.js': ['export const fine = 1'],
  'docs/größe.md': ['Call oldName.'],
  'docs/deep/kept.md': ['oldName is not asked for here.'],
  'src/mine.js': ['oldName()'],
}
const CHANGED = ['docs/größe.md', 'src/one.js', 'src/sub/two words.js']

function makeRepository(bench: Workbench): Repository {
  const repository = new Repository(bench.workspace)
  repository.commit('first', FILES)
  // Somebody's unfinished work.
  repository.write({ 'src/mine.js': ['oldName()', 'unfinished('] })
  return repository
}

const textOf = (bench: Workbench, file: string) => readFileSync(join(bench.workspace, file), 'utf8')
const changedIn = (repository: Repository) => repository.git('diff', '--name-only', 'HEAD').trimEnd().split('\n')
const sweep = (bench: Workbench) => bench.json('run', 'migration-sweep', '--args', ARGS, '--concurrency', '4')

describe('weft run migration-sweep, with agents that edit a real repository,', () => {
  it(
    'changes every place that was asked for and nothing else, and commits nothing',
    async () => {
      const bench = useWorkbench()
      bench.useAgent(AGENT)
      const repository = makeRepository(bench)
      const head = repository.git('log', '--format=%H')

      const { code, document } = await sweep(bench)

      for (const file of CHANGED) {
        const lines = FILES[file as keyof typeof FILES] // Each is a key of FILES.
        expect(textOf(bench, file)).toBe(
          lines.map((line) => `${line.replaceAll(/\boldName\b/g, 'newName')}\n`).join(''),
        )
      }
      expect(changedIn(repository).sort()).toEqual([...CHANGED, 'src/mine.js'].sort())
      expect(textOf(bench, 'src/mine.js')).toBe('oldName()\nunfinished(\n')
      expect([repository.git('log', '--format=%H'), repository.git('stash', 'list')]).toEqual([head, ''])
      expect(document['result']).toMatchObject({
        // The first attempt at a file with more than one place is refused, with the lines that are left.
        migrated: [
          { file: 'docs/größe.md', attempts: 1 },
          { file: 'src/one.js', attempts: 1 },
          { file: 'src/sub/two words.js', attempts: 2 },
        ],
        refused: [],
        unverified: [],
        failed: [],
        skipped: [
          { file: 'docs/deep/kept.md', why: 'it is not among the files that were asked for' },
          { file: 'src/mine.js', why: 'it had uncommitted changes: commit or stash them first' },
          { file: 'src/made.js', why: 'its agent left it: src/made.js is generated' },
        ],
        strays: [],
        missed: [],
        complete: false,
      })
      expect({ code, degraded: document['degraded'] }).toEqual({ code: 0, degraded: false })
      await bench.quiet()
    },
    PATIENCE_MS,
  )

  it(
    'believes git and a second look, not an agent that says it did, and ends with exit code 3 when one crashed',
    async () => {
      const bench = useWorkbench()
      const repository = makeRepository(bench)
      repository.commit('mine', {})
      const overrule = {
        // It says that it did, and did nothing; its verifier believes it.
        'change src/one.js': { answer: { done: true, note: 'Done.' } },
        'verify src/one.js': { answer: { ok: true, reason: 'Fine.' } },
        'verify docs/größe.md': { crash: 'out of luck' },
      }
      bench.useAgent(AGENT, [], { WEFT_TEST_OVERRULE: JSON.stringify(overrule) })
      const { code, document } = await sweep(bench)
      expect(changedIn(repository)).toEqual(['docs/größe.md', 'src/mine.js', 'src/sub/two words.js'])
      expect(document['result']).toMatchObject({
        migrated: [{ file: 'src/mine.js' }, { file: 'src/sub/two words.js' }],
        unchanged: ['src/one.js'],
        unverified: [{ file: 'docs/größe.md' }],
        strays: [],
        missed: ['src/one.js'],
        complete: false,
      })
      expect(code).toBe(3)
      await bench.quiet()
    },
    PATIENCE_MS,
  )
})
