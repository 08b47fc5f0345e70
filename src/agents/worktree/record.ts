// What is written beside a worktree before it exists, so that whoever finds it later knows whose it is.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Type, type Static } from 'typebox'
import { Ajv, type ValidateFunction } from 'ajv'

const WorktreeRecord = Type.Object({
  runId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
  agent: Type.Integer({ minimum: 1 }),
  attempt: Type.Integer({ minimum: 1 }),
  /** The checkout it was made from. */
  top: Type.String({ minLength: 1 }),
  commonDir: Type.String({ minLength: 1 }),
  /** The commit it began with. */
  base: Type.String({ pattern: '^[0-9a-f]{40,64}$' }),
})

export type WorktreeRecord = Static<typeof WorktreeRecord>

let validate: ValidateFunction<WorktreeRecord> | undefined

/** Compiled when the first record is read: most starts find none. */
function isRecord(value: unknown): value is WorktreeRecord {
  validate ??= new Ajv({ strict: false, meta: false, validateSchema: false }).compile<WorktreeRecord>(WorktreeRecord)
  return validate(value)
}

export interface WorktreePlace {
  /** The worktree itself. */
  path: string
  recordFile: string
}

export function placeOf(folder: string, { runId, agent, attempt }: Omit<WorktreeRecord, 'top' | 'commonDir' | 'base'>) {
  const path = join(folder, runId, `${agent}-${attempt}`)
  return { path, recordFile: `${path}.json` }
}

export async function writeRecord({ recordFile }: WorktreePlace, record: WorktreeRecord): Promise<void> {
  await mkdir(dirname(recordFile), { recursive: true, mode: 0o700 })
  await writeFile(recordFile, JSON.stringify(record), { mode: 0o600 })
}

export async function removeRecord({ recordFile }: WorktreePlace): Promise<void> {
  await rm(recordFile, { force: true })
}

/** Every record that can be read; one that can't is passed over, its worktree stays as it is. */
export async function readRecords(folder: string): Promise<(WorktreePlace & { record: WorktreeRecord })[]> {
  const runs = await readdir(folder).catch(() => [])
  const found = await Promise.all(runs.map((run) => readRun(join(folder, run))))
  return found.flat()
}

async function readRun(folder: string): Promise<(WorktreePlace & { record: WorktreeRecord })[]> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()
  const all = await Promise.all(
    files.map(async (name) => {
      const recordFile = join(folder, name)
      const record = parse(await readFile(recordFile, 'utf8').catch(() => ''))
      return record === undefined ? [] : [{ path: recordFile.slice(0, -'.json'.length), recordFile, record }]
    }),
  )
  return all.flat()
}

function parse(text: string): WorktreeRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
