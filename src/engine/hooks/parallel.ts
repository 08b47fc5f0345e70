// `parallel(thunks)`: all at once, a barrier; results in input order.

import { describeValue } from '../sandbox/describe-value.ts'
import type { Guest } from '../sandbox/guest.ts'
import { captureFrames } from '../sandbox/stacks.ts'
import { misuse, refuseMore } from './agent-options.ts'
import { checkItemCount, readLength, runBranches } from './branches.ts'

type Thunk = () => unknown

export function makeParallel(guest: Guest): (thunks: unknown, ...more: unknown[]) => Promise<unknown[]> {
  const parallel = async (thunks: unknown, ...more: unknown[]): Promise<unknown[]> =>
    guest.enter(captureFrames(parallel), (scope) => {
      const list = readThunks(thunks, guest.maxItems)
      refuseMore('parallel', 'one array of functions (the run decides how many agents are at work at once)', more)
      const path = scope.next('parallel')
      const describe = {
        path: (index: number) => `${path}/branch:${index}`,
        name: (index: number) => `parallel: slot ${index}`,
        code: 'parallel/branch-failed',
      }
      return runBranches(guest, scope, list, describe, (thunk) => thunk())
    })
  return parallel
}

function readThunks(thunks: unknown, maxItems: number): Thunk[] {
  if (!Array.isArray(thunks)) {
    throw misuse(`parallel: takes an array of functions, got ${describeValue(thunks)}${hintFor(thunks)}`)
  }
  const count = readLength(thunks)
  checkItemCount('parallel', count, maxItems)
  const list: Thunk[] = []
  for (let slot = 0; slot < count; slot++) {
    const thunk: unknown = thunks[slot]
    if (typeof thunk !== 'function')
      throw misuse(`parallel: slot ${slot} has to be a function, got ${describeValue(thunk)}${hintFor(thunk)}`)
    // A thunk takes no arguments, whatever it is called with.
    list.push(() => Reflect.apply(thunk, undefined, []))
  }
  return list
}

function hintFor(given: unknown): string {
  if (typeof given === 'function') return ': wrap it in an array, e.g. parallel(items.map((item) => () => agent(…)))'
  return isPromise(given) ? ': wrap the call in a function, e.g. () => agent(…), so that it starts inside parallel' : ''
}

function isPromise(value: unknown): boolean {
  try {
    return value instanceof Promise
  } catch {
    return false
  }
}
