// One action of the window: what it does and when it makes sense.

import type { AppState } from '../state/app-state.ts'

export interface Action {
  /** Always, when it is left out. */
  isEnabled?(app: AppState): boolean
  run(app: AppState): void
}

/** An action on what `find` finds; not enabled where that is nothing. */
export function on<Target>(
  find: (app: AppState) => Target | undefined,
  act: (app: AppState, target: Target) => void,
): Required<Action> {
  return {
    isEnabled: (app) => find(app) !== undefined,
    run(app) {
      const target = find(app)
      if (target !== undefined) act(app, target)
    },
  }
}
