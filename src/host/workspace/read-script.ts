// Reads script files, with errors that say what was looked for and where.

import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { HostError } from '../../shared/index.ts'
import { isMissing } from '../lib/files.ts'
import { SCRIPT_ENDING } from './folders.ts'

const MAX_BYTES = 4 * 1024 * 1024

/** The text of a script file. Rejects with NOT_FOUND or BAD_REQUEST. */
export async function readScriptFile(path: string): Promise<string> {
  if (!SCRIPT_ENDING.test(path))
    throw new HostError({
      code: 'BAD_REQUEST',
      message: `${path} is not a workflow script: its name has to end in .js, .mjs or .ts`,
    })
  const text = await readTextFile(path)
  return text
}

/** The text of any file of at most 4 MiB. */
export async function readTextFile(path: string): Promise<string> {
  try {
    const { size } = await regularFile(path)
    if (size > MAX_BYTES)
      throw new HostError({
        code: 'BAD_REQUEST',
        message: `${path} has ${size.toLocaleString('en-US')} bytes; at most ${MAX_BYTES.toLocaleString('en-US')} are read`,
      })
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error))
      throw new HostError({ code: 'NOT_FOUND', message: `There is no file ${path}` }, { cause: error })
    if (error instanceof HostError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new HostError(
      { code: 'BAD_REQUEST', message: `${basename(path)} can't be read: ${reason}` },
      { cause: error },
    )
  }
}

async function regularFile(path: string): Promise<{ size: number }> {
  const found = await stat(path)
  if (!found.isFile()) throw new HostError({ code: 'BAD_REQUEST', message: `${path} is not a file` })
  return found
}

/** Whether a text says that it is a workflow: a helper without meta is none, whatever else is wrong with it. */
export function declaresMeta(text: string): boolean {
  return /\bexport\s+(?:const|let|var)\s+meta\b/.test(text)
}
