// `budget`: what the run may spend in output tokens, and what it has spent as of the last thing the script was told.

import type { Guest } from '../sandbox/guest.ts'

export interface Budget {
  readonly total: number | null
  spent(): number
  remaining(): number
}

export function makeBudget(guest: Guest): Budget {
  const total = guest.budgetTotal
  return {
    total,
    spent: () => guest.link.spent,
    remaining: () => (total === null ? Number.POSITIVE_INFINITY : Math.max(0, total - guest.link.spent)),
  }
}
