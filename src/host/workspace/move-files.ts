// Renaming and deleting workflow files, their companions with them.

import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HostError, type WorkflowFile } from '../../shared/index.ts'
import { isMissing } from '../lib/files.ts'
import { companionsOf } from './companions.ts'
import { locate, refuseReadOnly, type FileScope } from './file-scope.ts'
import { readTextFile } from './read-script.ts'
import { describeFile, hashText } from './workflow-files.ts'

interface Move {
  from: string
  to: string
}

/**
 * Gives a file another path, and its companions the names that go with it. Rejects with CONFLICT when anything of that name
 * exists already, with NOT_FOUND when the file does not: then nothing has been moved.
 */
export async function renameWorkflowFile(
  { path, to }: { path: string; to: string },
  scope: FileScope,
): Promise<WorkflowFile> {
  const [source, target] = [await locate(path, scope), await locate(to, scope)]
  refuseReadOnly(path, source)
  refuseReadOnly(to, target)
  const text = await readTextFile(source.real)
  const moves: Move[] = []
  const targets = companionsOf(target.real)
  for (const [index, from] of companionsOf(source.real).entries()) {
    const companion = targets[index]
    if (companion !== undefined && from !== companion) moves.push({ from, to: companion })
  }
  // The script last: until then a failure leaves it under its old name.
  moves.push({ from: source.real, to: target.real })
  const present = await Promise.all(moves.map(async (move) => ((await exists(move.from)) ? [move] : [])))
  for (const move of present.flat()) await refuseExisting(move.to)
  await mkdir(dirname(target.real), { recursive: true })
  // One after the other, in their order.
  // oxlint-disable-next-line no-await-in-loop
  for (const move of present.flat()) await rename(move.from, move.to)
  return describeFile(to, text, true)
}

/** Deletes a file and its companions. Rejects with CONFLICT when it is no longer the one with `baseHash`. */
export async function deleteWorkflowFile(
  { path, baseHash }: { path: string; baseHash: string },
  scope: FileScope,
): Promise<{ deleted: string[] }> {
  const place = await locate(path, scope)
  refuseReadOnly(path, place)
  if (hashText(await readTextFile(place.real)) !== baseHash)
    throw new HostError({
      code: 'CONFLICT',
      message: `${path} has been changed since it was opened: nothing was deleted`,
    })
  const present = await Promise.all(
    [place.real, ...companionsOf(place.real)].map(async (file) => ((await exists(file)) ? [file] : [])),
  )
  const deleted = present.flat()
  await Promise.all(deleted.map((file) => rm(file)))
  return { deleted }
}

async function refuseExisting(path: string): Promise<void> {
  if (await exists(path))
    throw new HostError({ code: 'CONFLICT', message: `${path} exists already: nothing was renamed` })
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
