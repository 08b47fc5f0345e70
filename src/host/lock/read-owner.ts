// Who holds a data folder. Light on purpose: the bridge that harnesses start reads it before anything else.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject } from '../../shared/index.ts'

/** Who holds a data folder, for display and for finding its socket. */
export interface DataFolderOwner {
  pid: number
  version: string
  /** Where its socket listens; null while it starts, or when it has none. */
  socket: string | null
  /** Milliseconds since the epoch. */
  startedAt: number
}

/** What the owner file says; undefined without a readable one. That its writer still lives is not said by this. */
export function readOwner(dataDir: string): DataFolderOwner | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(join(dataDir, 'owner.json'), 'utf8'))
    if (!isJsonObject(owner)) return undefined
    const { pid, version, socket, startedAt } = owner
    if (typeof pid !== 'number' || !Number.isInteger(pid) || typeof version !== 'string') return undefined
    if (typeof socket !== 'string' && socket !== null) return undefined
    return typeof startedAt === 'number' ? { pid, version, socket, startedAt } : undefined
  } catch {
    return undefined
  }
}
