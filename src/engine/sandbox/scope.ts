// Where in the tree of scopes the script is right now. Scopes follow `await` by AsyncLocalStorage. What the storage holds is
// an empty token: older runtimes hang it on promises, where a script can find it.

import { AsyncLocalStorage } from 'node:async_hooks'

type Counter = 'agent' | 'parallel' | 'pipeline' | 'workflow'

/** One scope: the run, a branch of a `parallel`, an item of a `pipeline`, a nested workflow. */
export class Scope {
  readonly path: string
  readonly group: number
  /** Set once a live result was delivered to this scope: what follows may depend on it. */
  diverged: boolean
  phase: string | null
  readonly #counts: Record<Counter, number> = { agent: 0, parallel: 0, pipeline: 0, workflow: 0 }

  /** `diverged` says how the parent was when this scope began, where that is a while ago. */
  constructor(path: string, group: number, parent?: Scope, diverged: boolean = parent?.diverged ?? false) {
    this.path = path
    this.group = group
    this.diverged = diverged
    // A nested workflow has phases of its own.
    this.phase = parent?.group === group ? parent.phase : null
  }

  /** The path of the next call of this kind; calls are numbered in their order. */
  next(kind: Counter): string {
    return `${this.path}/${kind}:${this.#counts[kind]++}`
  }
}

const storage = new AsyncLocalStorage<object>()
const scopes = new WeakMap<object, Scope>()

/** Runs `work` and all it awaits within `scope`. */
export function runInScope<T>(scope: Scope, work: () => T): T {
  const token = Object.freeze({})
  scopes.set(token, scope)
  return storage.run(token, work)
}

/** The scope of the running code; undefined outside of any script. */
export function currentScope(): Scope | undefined {
  const token = storage.getStore()
  return token === undefined ? undefined : scopes.get(token)
}
