// Unsaved text outlives a crash: it is put aside shortly after each pause in typing, and found again when the file is opened.

import { isJsonObject } from '../../../shared/index.ts'
import type { Memory } from '../storage.ts'

export interface Backup {
  text: string
  /** Hash of the file the edit began from. */
  hash: string
}

export interface Backups {
  find(path: string): Backup | undefined
  /** `read` is called when it is time to write. */
  schedule(path: string, read: () => Backup): void
  drop(path: string): void
}

const DELAY_MS = 400

export function createBackups(memory: Memory): Backups {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const keyOf = (path: string): string => `backup:${path}`
  const stop = (path: string): void => {
    clearTimeout(timers.get(path))
    timers.delete(path)
  }
  return {
    find(path) {
      const value = memory.read(keyOf(path))
      if (!isJsonObject(value) || typeof value['text'] !== 'string' || typeof value['hash'] !== 'string')
        return undefined
      return { text: value['text'], hash: value['hash'] }
    },
    schedule(path, read) {
      stop(path)
      timers.set(
        path,
        setTimeout(() => memory.write(keyOf(path), read()), DELAY_MS),
      )
    },
    drop(path) {
      stop(path)
      memory.remove(keyOf(path))
    },
  }
}
