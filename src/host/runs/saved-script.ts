// The script that a harness gave as text, as a file beside the data: a harness edits it and runs the edited copy by its path.

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunId } from '../../shared/index.ts'
import { writeFileAtomic } from '../lib/atomic-write.ts'

/** Resolves with its path. */
export async function saveScript(dataDir: string, runId: RunId, text: string): Promise<string> {
  const folder = join(dataDir, 'runs', runId)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'script.js')
  await writeFileAtomic(path, text, 0o600)
  return path
}

export async function removeSavedScripts(dataDir: string, runIds: readonly RunId[]): Promise<void> {
  await Promise.all(runIds.map((runId) => rm(join(dataDir, 'runs', runId), { recursive: true, force: true })))
}
