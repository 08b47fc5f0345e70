// Which files a session may open: those of its workspace and the workflow folders. What a page asks for is never trusted to
// stay inside, and links don't lead out.

import { isAbsolute } from 'node:path'
import { HostError } from '../../shared/index.ts'
import { isInside, realPathOf } from '../lib/files.ts'
import type { WorkflowFolder } from './folders.ts'

const EDITABLE = /\.(?:js|mjs|ts|json)$/

/** What a session may open: its workspace, the workflow folders, and the one file it was opened for. */
export interface FileScope {
  workspace: string
  folders: readonly WorkflowFolder[]
  open: string | undefined
}

/** A file that may be opened. */
export interface Place {
  /** Its path without links. */
  real: string
  writable: boolean
}

/** Where `path` leads. Rejects with BAD_REQUEST or NOT_ALLOWED unless the session may open it. */
export async function locate(path: string, scope: FileScope): Promise<Place> {
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

/** Throws NOT_ALLOWED for bundled workflows. */
export function refuseReadOnly(path: string, { writable }: Place): void {
  if (writable) return
  throw new HostError({
    code: 'NOT_ALLOWED',
    message: `${path} belongs to Weft and is read only: save it under another name in your workflows folder`,
  })
}
