// Files of other programs: read whole or refused, replaced in one step, with a copy of what they were.

import { createHash } from 'node:crypto'
import { copyFile, lstat, mkdir, readFile, realpath, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HostError } from '../../shared/index.ts'
import { writeFileAtomic } from '../lib/atomic-write.ts'

export interface OwnedFile {
  /** Behind symbolic links. */
  path: string
  exists: boolean
  /** Without a byte order mark. */
  text: string
  mark: string
  hash: string
}

const MARK = '\uFEFF'

/** Rejects with BAD_REQUEST for what is no file of text. */
export async function readOwned(named: string): Promise<OwnedFile> {
  try {
    const path = await realpath(named)
    const bytes = await readFile(path)
    const whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const mark = whole.startsWith(MARK) ? MARK : ''
    return { path, exists: true, text: whole.slice(mark.length), mark, hash: hashOf(whole) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException // what Node's file functions and the decoder reject with
    if (code === 'ENOENT' && (await lstat(named).catch(() => undefined)) === undefined)
      return { path: named, exists: false, text: '', mark: '', hash: hashOf('') }
    const why =
      code === 'ENOENT' ? 'is a link to a file that is not there' : `can't be read as text (${code ?? message})`
    throw new HostError({ code: 'BAD_REQUEST', message: `it ${why}; nothing was touched` })
  }
}

/** Resolves to the copy's path; null where there was no file. Rejects with CONFLICT when `file` is no longer what is there. */
export async function replaceOwned(named: string, file: OwnedFile, text: string, now: Date): Promise<string | null> {
  if (!file.exists) {
    await mkdir(dirname(file.path), { recursive: true })
    await refuseChanged(named, file)
    await writeFileAtomic(file.path, text, 0o600)
    return null
  }
  const stamp = now.toISOString().replace(/\D/g, '').slice(0, 17)
  const backup = `${file.path}.before-weft-${stamp}`
  await copyFile(file.path, backup, constants.COPYFILE_EXCL)
  await refuseChanged(named, file)
  await writeFileAtomic(file.path, file.mark + text)
  return backup
}

async function refuseChanged(named: string, file: OwnedFile): Promise<void> {
  const { exists, hash } = await readOwned(named)
  if (exists === file.exists && hash === file.hash) return
  throw new HostError({ code: 'CONFLICT', message: `${named} was changed meanwhile; nothing was touched: look again` })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
