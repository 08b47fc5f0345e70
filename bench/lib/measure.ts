// Medians of interleaved runs: what shares a machine with others is measured beside what it is compared with.

/** Enough for a median that one busy second does not move. */
export const ROUNDS = 9

/** Milliseconds that `work` takes. */
export async function time(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value that the given share of all is not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]
  if (value === undefined) throw new Error('there is nothing to take a quantile of')
  return value
}

/** Runs each measurement once a round, in turn, after one round that does not count; the medians, by their names. */
export async function interleave<Name extends string>(
  measurements: Record<Name, () => Promise<number>>,
  rounds = ROUNDS,
): Promise<Record<Name, number>> {
  // The entries are those of the record.
  const entries = Object.entries(measurements) as [Name, () => Promise<number>][]
  const taken = new Map<Name, number[]>(entries.map(([name]) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const [name, measurement] of entries) {
      globalThis.gc?.()
      // One at a time is the point.
      // oxlint-disable-next-line no-await-in-loop
      const value = await measurement()
      if (round >= 0) taken.get(name)?.push(value)
    }
  }
  return Object.fromEntries([...taken].map(([name, values]) => [name, median(values)])) as Record<Name, number>
}

/** Gives a pool the time to warm up what it keeps ready, which no user waits for either. */
export function settle(ms = 400): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
