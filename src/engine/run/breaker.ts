// Stops a run from burning through its queue: a spent quota concerns every sibling, and so do five failures of one kind.

import type { FailureKind } from '../../shared/index.ts'

const IDENTICAL_IN_A_ROW = 5

export class Breaker {
  #last = ''
  #count = 0

  succeeded(): void {
    this.#count = 0
    this.#last = ''
  }

  /** True for the failure that makes five identical ones in a row. */
  failed(failure: FailureKind, message: string): boolean {
    const kind = `${failure}: ${message}`
    this.#count = kind === this.#last ? this.#count + 1 : 1
    this.#last = kind
    if (this.#count < IDENTICAL_IN_A_ROW) return false
    this.succeeded()
    return true
  }
}

export function describeLimit(failure: FailureKind, backend: string, message: string): string {
  switch (failure) {
    case 'quota':
      return `back end ${backend} has no quota left: ${message}`
    case 'credit':
      return `back end ${backend} has no credit left: ${message}`
    case 'auth':
      return `back end ${backend} is not signed in: ${message}`
    default:
      return `${IDENTICAL_IN_A_ROW} agents in a row failed the same way: ${message}`
  }
}
