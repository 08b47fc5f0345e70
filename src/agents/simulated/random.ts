// Everything random in a simulated run comes from the run's seed and the call's key, so that the same run looks the same again.

/** A number in [0, 1) each time it is called. */
export type Random = () => number

/** Mulberry32. `seed` is taken modulo 2^32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** FNV-1a of the texts, 32 bits: a seed of its own for each purpose. */
export function toSeed(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const character of parts.join('\u0000')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  return hash
}

export function pick<List extends readonly [unknown, ...unknown[]]>(random: Random, from: List): List[number] {
  return from[Math.floor(random() * from.length)] ?? from[0]
}

/** An integer from `low` to `high`, both included. */
export function pickInteger(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1))
}
