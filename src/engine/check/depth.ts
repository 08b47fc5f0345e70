// How deep and how large JSON may be. Everything behind this line recurses or copies: canonical JSON, compilers,
// validators, messages between threads.

/** Deeper than any answer is meant to be, and far from the end of any stack. */
export const MAX_VALUE_DEPTH = 1000
export const MAX_SCHEMA_DEPTH = 200
/** In characters, roughly: what a worker can hold beside its work. */
const MAX_VALUE_SIZE = 30_000_000
/** What a number, a name or a bracket counts for. */
const ITEM_SIZE = 16

/** Why a value can't be looked at, in words; undefined when it can. Never recurses. */
export function excessOf(value: unknown, maxDepth: number): string | undefined {
  // Sets, as an object that is held twice need not be looked into twice.
  let level = new Set<unknown>([value])
  let size = 0
  for (let depth = 0; level.size > 0; depth++) {
    if (depth > maxDepth) return `too deep (more than ${maxDepth} levels)`
    const next = new Set<unknown>()
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue
      const children: unknown[] = Array.isArray(item) ? item : Object.values(item)
      for (const child of children) {
        size += typeof child === 'string' ? child.length + ITEM_SIZE : ITEM_SIZE
        if (typeof child === 'object' && child !== null) next.add(child)
      }
      if (size > MAX_VALUE_SIZE) return 'too large'
    }
    level = next
  }
  return undefined
}

export function isDeeperThan(value: unknown, maxDepth: number): boolean {
  return excessOf(value, maxDepth) !== undefined
}
