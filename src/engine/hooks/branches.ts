// What `parallel` and `pipeline` share: a branch in a scope of its own, whose ordinary failure becomes a visible null.

import { toPreview } from '../../shared/lib/text.ts'
import type { Guest } from '../sandbox/guest.ts'
import { runInScope, Scope } from '../sandbox/scope.ts'
import { isFatal, makeScriptError } from '../sandbox/script-error.ts'
import { toRunError } from '../sandbox/stacks.ts'

const MESSAGE_UNITS = 2000

/** Runs each branch in its own scope, all at once. Rejects only for a fatal error; the scope diverges with its branches. */
export async function runBranches<Input>(
  guest: Guest,
  parent: Scope,
  inputs: readonly Input[],
  describe: { path: (index: number) => string; name: (index: number) => string; code: string },
  work: (input: Input, index: number) => unknown,
): Promise<unknown[]> {
  const scopes: Scope[] = []
  try {
    return await Promise.all(
      inputs.map((input, index) => {
        const scope = new Scope(describe.path(index), parent.group, parent)
        scopes.push(scope)
        return runInScope(scope, () =>
          runBranch(guest, scope, describe.name(index), describe.code, () => work(input, index)),
        )
      }),
    )
  } finally {
    if (scopes.some((scope) => scope.diverged)) parent.diverged = true
  }
}

async function runBranch(
  guest: Guest,
  scope: Scope,
  name: string,
  code: string,
  work: () => unknown,
): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (isFatal(error)) throw error
    const { message, name: kind, file, line, column } = toRunError(error)
    guest.link.post({
      type: 'warning',
      code,
      message: toPreview(`${name} became null: ${kind ? `${kind}: ` : ''}${message}`, MESSAGE_UNITS),
      path: scope.path,
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    })
    return null
  }
}

/** Read once: a proxy may answer anything, and another time something else. */
export function readLength(list: readonly unknown[]): number {
  const length: unknown = list.length
  return typeof length === 'number' && length > 0 ? Math.floor(length) : 0
}

export function checkItemCount(hook: string, count: number, most: number): void {
  if (count <= most) return
  const [given, allowed] = [count, most].map((value) => value.toLocaleString('en-US'))
  throw makeScriptError(
    'ITEM_CAP',
    `${hook}: ${given} items are too many for one call, at most ${allowed} are taken; split the list`,
  )
}
