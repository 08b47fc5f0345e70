// Prompts, answers and settings are nobody else's business: the data folder and the files in it are for its user alone,
// whatever umask the host was started with. Systems without such modes (Windows) keep each user's folders apart themselves.

import { chmodSync, closeSync, fchmodSync, openSync, readdirSync, statSync } from 'node:fs'
import { hasErrorCode } from './files.ts'

const FOR_OTHERS = 0o077

/** What Weft itself puts into a data folder, and what file managers leave behind. */
const OWN_ENTRY =
  /^(?:(?:weft|lock)\.db.*|(?:owner|settings|windows)\.json.*|(?:http-)?token|socket|runs|drafts|worktrees|logs|electron|\..+\.tmp|\.DS_Store)$/

/**
 * Makes a data folder that others may look into private (0700). One that is not ours, or in which other things are kept,
 * is left as it is: then what to do about it is answered, in words.
 */
export function closeFolder(path: string): { closed: boolean; problem?: string } {
  const uid = process.getuid?.()
  const found = statSync(path)
  const mode = found.mode & 0o777
  if (uid === undefined || (mode & FOR_OTHERS) === 0) return { closed: false }
  const open = `other users of this machine may look into ${path} (mode ${mode.toString(8)})`
  if (found.uid !== uid)
    return { closed: false, problem: `${open}, and it is not yours to close: choose a data folder of your own` }
  const foreign = readdirSync(path).find((name) => !OWN_ENTRY.test(name))
  if (foreign !== undefined)
    return {
      closed: false,
      problem: `${open}. It also holds what is not Weft's (${foreign}), so it was left like that: run chmod 700 on it, or choose a data folder of its own`,
    }
  chmodSync(path, 0o700)
  return { closed: true }
}

/** Makes the file with mode 0600 if it is missing; takes others' rights from one of ours that has any. */
export function makePrivateFile(path: string): void {
  if (process.getuid === undefined) return
  try {
    const file = openSync(path, 'wx', 0o600)
    // The umask may have taken from the user's own rights.
    fchmodSync(file, 0o600)
    closeSync(file)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
    closeFile(path)
  }
}

/** Takes others' rights from a file, if it is there, ours, and gives any. */
export function closeFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() === true && found.uid === process.getuid?.() && (found.mode & FOR_OTHERS) !== 0)
    chmodSync(path, found.mode & 0o700)
}
