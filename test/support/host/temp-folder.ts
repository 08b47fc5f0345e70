// A folder of a test's own, gone with it.

import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Free of links, removed when the test has finished. */
export async function makeTempFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'weft-test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
