// Keeps a tool within the call's folder: a path is resolved with all its links, and what was opened is looked at once more, so
// that a link put in between leads nowhere.

import { constants } from 'node:fs'
import { lstat, open, realpath, stat, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { systemCode } from '../../errors.ts'
import { ToolError } from './tool.ts'

/** Windows knows neither flag; its links need rights of their own. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>

/** The real path of something that is there. Rejects with ToolError when it is outside of `root` or does not exist. */
export async function locate(root: string, path: string): Promise<string> {
  const lexical = toLexical(root, path)
  let real: string
  try {
    real = await realpath(lexical)
  } catch (error) {
    throw explain(error, path)
  }
  if (!isInside(root, real)) throw outside(path)
  return real
}

/** Opens a regular file for reading. To be closed by the caller. */
export async function openInside(root: string, path: string): Promise<FileHandle> {
  const real = await locate(root, path)
  let handle: FileHandle
  try {
    // Not blocking: a named pipe that nobody writes to would be waited for.
    handle = await open(real, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    throw explain(error, path)
  }
  return checked(root, real, path, handle)
}

/** Opens a regular file for writing, made if it is not there; its content is as it was. To be closed by the caller. */
export async function openForWriting(root: string, path: string): Promise<FileHandle> {
  const lexical = toLexical(root, path)
  const parent = await locate(root, relative(root, dirname(lexical)) || '.')
  const target = join(parent, basename(lexical))
  refuseRepository(root, target)
  let created = false
  let handle: FileHandle
  try {
    try {
      handle = await open(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW, 0o644)
      created = true
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      const real = await locate(root, relative(root, target))
      refuseRepository(root, real)
      handle = await open(real, constants.O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
      return await checked(root, real, path, handle)
    }
    return await checked(root, target, path, handle)
  } catch (error) {
    if (created) await unlink(target).catch(() => {})
    throw explain(error, path)
  }
}

function toLexical(root: string, path: string): string {
  if (path.includes('\0')) throw new ToolError('a path has no NUL character')
  const lexical = isAbsolute(path) ? resolve(path) : resolve(root, path)
  // An absolute path may name the folder by way of a link: that is for `realpath` to say.
  if (!isAbsolute(path) && !isInside(root, lexical)) throw outside(path)
  return lexical
}

/** What was opened is still what stands at a path inside. */
async function checked(root: string, real: string, path: string, handle: FileHandle): Promise<FileHandle> {
  try {
    const opened = await handle.stat({ bigint: true })
    if (!opened.isFile()) throw new ToolError(`${path} is no file`)
    const now = await realpath(real)
    const there = await stat(now, { bigint: true })
    if (!isInside(root, now) || there.dev !== opened.dev || there.ino !== opened.ino) throw outside(path)
    return handle
  } catch (error) {
    await handle.close()
    throw explain(error, path)
  }
}

/** `path` is `root` or below it. Both are resolved. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Hooks and settings of a repository are run by the next git: that is no mere change of a file. */
function refuseRepository(root: string, path: string): void {
  const parts = relative(root, path).split(sep).map(plainName)
  if (parts.some((name) => name === '.git' || name === 'git~1'))
    throw new ToolError("a repository's own files (.git) can't be written")
}

/** As file systems see it that know no case, ignore what is invisible and drop dots and spaces at the end. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .split(':', 1)
    .join('')
    .replace(/[. ]+$/, '')
    .toLowerCase()
}

function outside(path: string): ToolError {
  return new ToolError(`${path} is outside of the working folder: nothing there can be read or written`)
}

function explain(error: unknown, path: string): Error {
  switch (systemCode(error)) {
    case 'ENOENT':
      return new ToolError(`${path} does not exist`)
    case 'ENOTDIR':
      return new ToolError(`${path} goes through something that is no folder`)
    case 'ELOOP':
    case 'EMLINK':
      return outside(path)
    case 'EISDIR':
      return new ToolError(`${path} is a folder`)
    case 'ENXIO':
      return new ToolError(`${path} is no file`)
    case 'EACCES':
    case 'EPERM':
      return new ToolError(`${path} may not be opened`)
    default:
      return error instanceof Error ? error : new Error(String(error))
  }
}

/** The kind of an entry, links not followed; undefined when it is gone. */
export async function kindOf(path: string): Promise<'file' | 'folder' | 'link' | 'other' | undefined> {
  try {
    const entry = await lstat(path)
    if (entry.isSymbolicLink()) return 'link'
    return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other'
  } catch {
    return undefined
  }
}
