// Files that users own are replaced in one step: a crash leaves the old text or the new one, never half of either.

import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes `text` beside `path` and renames it into place. An existing file keeps its mode; a new one gets `mode`. */
export async function writeFileAtomic(path: string, text: string, mode = 0o644): Promise<void> {
  const known = await stat(path).catch(() => undefined)
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const file = await open(temporary, 'wx', known === undefined ? mode : known.mode & 0o777)
    try {
      await file.writeFile(text, 'utf8')
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
