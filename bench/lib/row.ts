// One line of the results, and what it is measured by.

/** As it is printed with `--json`. */
export interface Row {
  name: string
  ours: number
  reference: number
  /** What stands beside ours: a peer or a physical limit measured in the same run, or the time that is allowed. */
  referenceName: string
  unit: string
  /** ours / reference; good when it is at most `goal`. */
  ratio: number
  goal: number
}

/** A row before it is measured. */
export interface Benchmark {
  name: string
  /** Which line of the goals it shows (goals.ts). */
  goal: string
  referenceName: string
  unit: string
  /** The most that the ratio may be. */
  limit: number
}

export interface Measured {
  ours: number
  reference: number
}

export function toRow({ name, referenceName, unit, limit }: Benchmark, { ours, reference }: Measured): Row {
  const round = (value: number): number => Number(value.toPrecision(4))
  return {
    name,
    ours: round(ours),
    reference: round(reference),
    referenceName,
    unit,
    ratio: round(ours / reference),
    goal: limit,
  }
}
