// Gathers what streams in and hands it over once a frame, so that 300 events a second cost 60 updates.

export type Schedule = (run: () => void) => void

export interface Batch<Item> {
  add(items: readonly Item[]): void
  /** Hands over at once what has gathered. */
  flush(): void
}

/** `handle` gets everything added since the last frame, in order, never an empty list. */
export function createBatch<Item>(handle: (items: Item[]) => void, schedule: Schedule = onNextFrame): Batch<Item> {
  let gathered: Item[] = []
  let scheduled = false
  const flush = (): void => {
    scheduled = false
    const items = gathered
    gathered = []
    if (items.length > 0) handle(items)
  }
  return {
    add(items) {
      if (items.length === 0) return
      for (const item of items) gathered.push(item)
      if (scheduled) return
      scheduled = true
      schedule(flush)
    },
    flush,
  }
}

const HIDDEN_PAGE_MS = 250

/** The next frame; a hidden page gets none, so it is woken by a timer instead. */
export function onNextFrame(run: () => void): void {
  if (document.hidden) setTimeout(run, HIDDEN_PAGE_MS)
  else requestAnimationFrame(run)
}
