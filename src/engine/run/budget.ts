// What a run has spent in output tokens, replayed calls included, against what it may.

import { plural } from '../../shared/index.ts'

export class RunBudget {
  readonly total: number | null
  #spent = 0

  constructor(total: number | null) {
    this.total = total
  }

  get spent(): number {
    return this.#spent
  }

  add(outputTokens: number): void {
    if (Number.isFinite(outputTokens) && outputTokens > 0) this.#spent += outputTokens
  }

  get exhausted(): boolean {
    return this.total !== null && this.#spent >= this.total
  }

  /** `the budget is used up: 18,000 of 18,000 output tokens`. */
  describe(): string {
    const spent = this.#spent.toLocaleString('en-US')
    return `the budget is used up: ${spent} of ${plural(this.total ?? 0, 'output token')} are spent`
  }
}
