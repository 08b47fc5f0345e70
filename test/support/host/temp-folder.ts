// A folder of a test's own, gone with it.

import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Free of links, removed when the test has finished. */
export async function makeTempFolder(): Promise<string> {
  const folder = await createTempFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** The same for whoever removes it. */
export async function createTempFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'weft-test-')))
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
