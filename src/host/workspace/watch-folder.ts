// Watches one folder that may not exist yet, or come and go: the nearest folder above it is watched meanwhile.
// (chokidar 4, the last one that runs on our oldest runtime, does not see files in folders made later.)

import { existsSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Calls `onChange` when the folder appears, goes, or anything directly in it changes. Returns the end of watching. */
export function watchFolder(folder: string, onChange: () => void, onError: (error: unknown) => void): () => void {
  let watcher: FSWatcher | undefined
  let ended = false

  const arm = (): void => {
    watcher?.close()
    watcher = undefined
    if (ended) return
    const { place, next } = nearestExisting(folder)
    try {
      watcher = watch(place, { persistent: false }, (_event, fileName) => {
        // A deleted folder reports its own name; some systems report none.
        if (next === undefined) onChange()
        if (next === undefined ? !existsSync(folder) : fileName === null || fileName === next || !existsSync(place))
          rearm()
      })
      watcher.on('error', fail)
    } catch (error) {
      // Gone between the look and the watch: look again; anything else is told and given up.
      if (existsSync(place)) fail(error)
      else arm()
      return
    }
    // It may have appeared before the watch began.
    if (next !== undefined && nearestExisting(folder).place !== place) rearm()
  }
  const rearm = (): void => {
    arm()
    onChange()
  }
  const fail = (error: unknown): void => {
    watcher?.close()
    watcher = undefined
    if (!ended) onError(error)
  }

  arm()
  return () => {
    ended = true
    watcher?.close()
  }
}

/** The folder itself, or the nearest one above it and the name in it that leads on. */
function nearestExisting(folder: string): { place: string; next: string | undefined } {
  let place = folder
  let next: string | undefined
  while (!existsSync(place) && dirname(place) !== place) {
    next = basename(place)
    place = dirname(place)
  }
  return { place, next }
}
