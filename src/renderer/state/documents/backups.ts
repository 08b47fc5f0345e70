// Unsaved text outlives a crash: it is put aside shortly after each pause in typing, and found again when the file is opened.
// The host keeps it, since what a page stores is gone with a killed browser or another port; while the host is away, the page
// does, and hands it over later.

import { isJsonObject, type HostClient } from '../../../shared/index.ts'
import type { Memory } from '../storage.ts'

export interface Backup {
  text: string
  /** Hash of the file the edit began from. */
  hash: string
}

export interface Backups {
  find(path: string): Promise<Backup | undefined>
  /** Files that have unsaved text. */
  list(): Promise<string[]>
  /** `read` is called when it is time to write. */
  schedule(path: string, read: () => Backup): void
  drop(path: string): void
}

const DELAY_MS = 400

export function createBackups(client: Pick<HostClient, 'call'>, memory: Memory): Backups {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const stop = (path: string): void => {
    clearTimeout(timers.get(path))
    timers.delete(path)
  }
  const keep = async (path: string, { text, hash }: Backup): Promise<void> => {
    const key = keyOf(path)
    memory.write(key, { text, hash })
    try {
      await client.call('drafts.write', { path, text, baseHash: hash })
      // What was typed meanwhile is the page's own until its turn comes.
      if (readBackup(memory.read(key))?.text === text) memory.remove(key)
    } catch {
      // The page's copy stays.
    }
  }
  return {
    async find(path) {
      // Only what the host could not take is here: it is the newer one.
      const own = readBackup(memory.read(keyOf(path)))
      if (own !== undefined) return own
      const { draft } = await client.call('drafts.read', { path })
      return draft === null ? undefined : { text: draft.text, hash: draft.baseHash }
    },
    async list() {
      const { paths } = await client.call('drafts.list', {})
      return paths
    },
    schedule(path, read) {
      stop(path)
      timers.set(
        path,
        setTimeout(() => void keep(path, read()), DELAY_MS),
      )
    },
    drop(path) {
      stop(path)
      memory.remove(keyOf(path))
      client.call('drafts.drop', { path }).catch(() => {
        // A host that is away keeps a draft that equals the file: it is dropped when the file is opened again.
      })
    },
  }
}

const keyOf = (path: string): string => `backup:${path}`

function readBackup(value: unknown): Backup | undefined {
  if (!isJsonObject(value)) return undefined
  const { text, hash } = value
  return typeof text === 'string' && typeof hash === 'string' ? { text, hash } : undefined
}
