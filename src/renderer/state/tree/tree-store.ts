// What the user did with one run's tree: levels opened, the row the keys are on, the agent that is shown.
// Kept with the run's session, so that it is all there when its tab comes back.

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AgentNumber } from '../../../shared/index.ts'
import {
  EMPTY_EXPANSION,
  initialExpansion,
  reduceExpansion,
  type Expansion,
  type ExpansionAction,
} from './expansion.ts'
import { ancestorsOf } from './rows.ts'
import { agentNodeId, type TreeNode } from './run-tree.ts'

export interface TreeState {
  expansion: Expansion
  active: string | undefined
  /** The agent in the Agent region; undefined while that is closed. */
  selected: AgentNumber | undefined
}

export interface TreeStore {
  readonly store: StoreApi<TreeState>
  /** Follows the run. A run that is over when it is first seen is opened out by its size, not by its work. */
  sync(tree: readonly TreeNode[], live: boolean): void
  expand(action: ExpansionAction): void
  setActive(id: string): void
  select(agent: AgentNumber | undefined): void
}

export function createTreeStore(): TreeStore {
  const store = createStore<TreeState>(() => ({ expansion: EMPTY_EXPANSION, active: undefined, selected: undefined }))
  let synced = false
  const change = (expansion: Expansion): void => {
    if (expansion !== store.getState().expansion) store.setState({ expansion })
  }
  return {
    store,
    sync(tree, live) {
      if (tree.length === 0) return
      if (!synced && !live) change(initialExpansion(tree))
      synced = true
      const { expansion, selected } = store.getState()
      const keepOpen = new Set(selected === undefined ? [] : ancestorsOf(tree, agentNodeId(selected)))
      change(reduceExpansion(expansion, { type: 'tree-changed', tree, keepOpen }))
    },
    expand: (action) => change(reduceExpansion(store.getState().expansion, action)),
    setActive: (active) => store.setState({ active }),
    select: (selected) => store.setState({ selected }),
  }
}
