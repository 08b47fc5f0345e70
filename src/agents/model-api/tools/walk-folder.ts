// Goes through a folder in order of names, without following links and without what is not the user's own.

import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isInside, locate } from './confine.ts'

const SKIPPED = new Set(['.git', 'node_modules'])
/** Whatever is looked for, a walk ends here. */
const MAX_ENTRIES = 50_000

export interface Entry {
  /** Relative to the working folder, with slashes. */
  path: string
  kind: 'file' | 'folder' | 'link'
  depth: number
}

/** Entries below `path`, a folder before what is in it. `depth` 1 gives the folder's own entries alone. */
export async function* walkFolder(
  root: string,
  path: string,
  depth: number,
  signal: AbortSignal,
): AsyncGenerator<Entry> {
  const start = await locate(root, path)
  const pending: { real: string; path: string; depth: number }[] = [
    { real: start, path: toSlashes(relative(root, start)), depth: 1 },
  ]
  let seen = 0
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    signal.throwIfAborted()
    const here = folder
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other, in order
    const real = await locate(root, here.real).catch(() => undefined)
    // A folder that became a link since.
    if (real !== here.real || !isInside(root, real)) continue
    // oxlint-disable-next-line no-await-in-loop
    const entries = await readdir(real, { withFileTypes: true }).catch(() => [])
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    const below: typeof pending = []
    for (const entry of entries) {
      if (++seen > MAX_ENTRIES) return
      const inner = here.path === '' ? entry.name : `${here.path}/${entry.name}`
      if (entry.isDirectory()) {
        yield { path: inner, kind: 'folder', depth: here.depth }
        if (here.depth < depth && !SKIPPED.has(entry.name))
          below.push({ real: join(real, entry.name), path: inner, depth: here.depth + 1 })
      } else if (entry.isFile()) yield { path: inner, kind: 'file', depth: here.depth }
      else if (entry.isSymbolicLink()) yield { path: inner, kind: 'link', depth: here.depth }
    }
    below.reverse()
    pending.push(...below)
  }
}

function toSlashes(path: string): string {
  return path.split('\\').join('/')
}
