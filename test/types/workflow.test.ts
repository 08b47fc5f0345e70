import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const tsc = join(root, 'node_modules/typescript/bin/tsc')

describe('types/workflow.d.ts', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  it('gives a call its result type from a literal schema, and marks what would fail at run time', () => {
    execFileSync(process.execPath, [tsc, '-p', join(root, 'test/types')], { stdio: 'pipe' })
  })

  it('makes the check above fail when a promise of the types is broken', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-types-'))
    folders.push(folder)
    const sample = readFileSync(join(root, 'test/types/workflow-types.ts'), 'utf8')
    const types = readFileSync(join(root, 'types/workflow.d.ts'), 'utf8')
    writeFileSync(join(folder, 'sample.ts'), sample)
    writeFileSync(
      join(folder, 'workflow.d.ts'),
      types.replace("T extends 'string'\n  ? string", "T extends 'string'\n  ? number"),
    )
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'test/types/tsconfig.json'), include: ['*.ts'] }),
    )
    const run = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    expect(run.status).not.toBe(0)
    expect(run.stdout).toContain('error TS2345')
  })
})
