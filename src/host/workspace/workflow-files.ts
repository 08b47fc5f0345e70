// Reading and saving workflow files for editors, confined to the workspace and the workflow folders: what a page asks for
// is never trusted to stay inside, and links don't lead out.

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, isAbsolute } from 'node:path'
import { HostError, type WorkflowFile } from '../../shared/index.ts'
import { writeFileAtomic } from '../lib/atomic-write.ts'
import { isInside, realPathOf } from '../lib/files.ts'
import type { WorkflowFolder } from './folders.ts'
import { readTextFile } from './read-script.ts'

const EDITABLE = /\.(?:js|mjs|ts|json)$/

/** What a session may open: its workspace, the workflow folders, and the one file it was opened for. */
export interface FileScope {
  workspace: string
  folders: readonly WorkflowFolder[]
  open: string | undefined
}

export async function readWorkflowFile(path: string, scope: FileScope): Promise<WorkflowFile> {
  const place = await locate(path, scope)
  const text = await readTextFile(place.real)
  return describe(path, text, place.writable)
}

/**
 * Replaces a file in one step, or makes a new one where `baseHash` is null. Rejects with CONFLICT when the file is no
 * longer the one the edit began from, with NOT_ALLOWED for bundled workflows.
 */
export async function saveWorkflowFile(
  { path, text, baseHash }: { path: string; text: string; baseHash: string | null },
  scope: FileScope,
): Promise<WorkflowFile> {
  const place = await locate(path, scope)
  if (!place.writable)
    throw new HostError({
      code: 'NOT_ALLOWED',
      message: `${path} belongs to Weft and is read only: save it under another name in your workflows folder`,
    })
  const current = await readTextFile(place.real).catch((error: unknown) => {
    if (error instanceof HostError && error.code === 'NOT_FOUND') return null
    throw error
  })
  const currentHash = current === null ? null : hashText(current)
  if (currentHash !== baseHash) throw conflict(path, currentHash, baseHash)
  await mkdir(dirname(place.real), { recursive: true })
  await writeFileAtomic(place.real, text)
  return describe(path, text, true)
}

async function locate(path: string, scope: FileScope): Promise<{ real: string; writable: boolean }> {
  if (!isAbsolute(path)) throw new HostError({ code: 'BAD_REQUEST', message: `${path} is not an absolute path` })
  if (!EDITABLE.test(path))
    throw new HostError({
      code: 'NOT_ALLOWED',
      message: `${path} can't be opened here: only .js, .mjs, .ts and .json files can`,
    })
  const real = await realPathOf(path)
  // A name that ends well may be a link to one that does not.
  const allowed = EDITABLE.test(real) && (await writability(real, scope))
  if (allowed === undefined || allowed === false)
    throw new HostError({
      code: 'NOT_ALLOWED',
      message: `${path} lies outside the workspace (${scope.workspace}) and the workflow folders`,
    })
  return { real, writable: allowed === 'writable' }
}

async function writability(real: string, scope: FileScope): Promise<'writable' | 'readable' | undefined> {
  const places = [
    // Bundled folders first: a workspace that contains the installation does not make them writable.
    ...scope.folders.filter((folder) => !folder.writable),
    { path: scope.workspace, writable: true },
    ...scope.folders.filter((folder) => folder.writable),
    ...(scope.open === undefined ? [] : [{ path: scope.open, writable: true }]),
  ]
  for (const place of places) {
    if (isInside(real, await realPathOf(place.path))) return place.writable ? 'writable' : 'readable'
  }
  return undefined
}

function describe(path: string, text: string, writable: boolean): WorkflowFile {
  return { path, fileName: basename(path), text, hash: hashText(text), writable }
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function conflict(path: string, current: string | null, base: string | null): HostError {
  const what =
    base === null
      ? 'exists already'
      : current === null
        ? 'has been deleted since it was opened'
        : 'has been changed since it was opened'
  return new HostError({ code: 'CONFLICT', message: `${path} ${what}: nothing was saved` })
}
