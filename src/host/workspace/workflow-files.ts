// Reading and saving workflow files for editors, within what a session may open (file-scope.ts).

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { HostError, type WorkflowFile } from '../../shared/index.ts'
import { writeFileAtomic } from '../lib/atomic-write.ts'
import { locate, refuseReadOnly, type FileScope } from './file-scope.ts'
import { readTextFile } from './read-script.ts'

export async function readWorkflowFile(path: string, scope: FileScope): Promise<WorkflowFile> {
  const place = await locate(path, scope)
  const text = await readTextFile(place.real)
  return describeFile(path, text, place.writable)
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
  refuseReadOnly(path, place)
  const current = await readTextFile(place.real).catch((error: unknown) => {
    if (error instanceof HostError && error.code === 'NOT_FOUND') return null
    throw error
  })
  const currentHash = current === null ? null : hashText(current)
  if (currentHash !== baseHash) throw conflict(path, currentHash, baseHash)
  await mkdir(dirname(place.real), { recursive: true })
  await writeFileAtomic(place.real, text)
  return describeFile(path, text, true)
}

export function describeFile(path: string, text: string, writable: boolean): WorkflowFile {
  return { path, fileName: basename(path), text, hash: hashText(text), writable }
}

export function hashText(text: string): string {
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
