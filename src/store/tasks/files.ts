// A file that a task makes gets its name only when it is complete and on the disk, and never takes another one's place.

import { closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { StoreError } from '../errors.ts'

/** Throws StoreError CONFLICT. */
export function refuseExisting(target: string): void {
  if (existsSync(target)) throw new StoreError('CONFLICT', `${target} exists already; name a file that does not exist.`)
}

export function settleFile(partial: string, target: string): void {
  const handle = openSync(partial, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(partial, target)
}
