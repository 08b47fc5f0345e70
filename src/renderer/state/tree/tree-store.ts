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
  /** A row to be scrolled to; `serial` makes the same row again a new wish. */
  reveal: { id: string; serial: number } | undefined
}

export interface TreeStore {
  readonly store: StoreApi<TreeState>
  /** Follows the run. A run that is over when it is first seen is opened out by its size, not by its work. */
  sync(tree: readonly TreeNode[], live: boolean): void
  expand(action: ExpansionAction): void
  setActive(id: string): void
  select(agent: AgentNumber | undefined): void
  /** Selects an agent from outside of the tree: its levels open, its row becomes the active one and is scrolled to. */
  show(agent: AgentNumber): void
}

export function createTreeStore(): TreeStore {
  const store = createStore<TreeState>(() => ({
    expansion: EMPTY_EXPANSION,
    active: undefined,
    selected: undefined,
    reveal: undefined,
  }))
  let synced = false
  let known: readonly TreeNode[] = []
  let pending: AgentNumber | undefined
  const change = (expansion: Expansion): void => {
    if (expansion !== store.getState().expansion) store.setState({ expansion })
  }
  const show = (agent: AgentNumber): void => {
    const id = agentNodeId(agent)
    const ids = ancestorsOf(known, id)
    const found = ids.length > 0 || known.some((node) => node.id === id)
    pending = found ? undefined : agent
    if (found) change(reduceExpansion(store.getState().expansion, { type: 'set-all', ids, open: true }))
    const serial = (store.getState().reveal?.serial ?? 0) + 1
    store.setState({ selected: agent, active: id, ...(found && { reveal: { id, serial } }) })
  }
  return {
    store,
    show,
    sync(tree, live) {
      known = tree
      if (tree.length === 0) return
      if (!synced && !live) change(initialExpansion(tree))
      synced = true
      const { expansion, selected } = store.getState()
      const keepOpen = new Set(selected === undefined ? [] : ancestorsOf(tree, agentNodeId(selected)))
      change(reduceExpansion(expansion, { type: 'tree-changed', tree, keepOpen }))
      // A run that was opened at an agent has just been read that far.
      if (pending !== undefined) show(pending)
    },
    expand: (action) => change(reduceExpansion(store.getState().expansion, action)),
    setActive: (active) => store.setState({ active }),
    select(selected) {
      pending = undefined
      store.setState({ selected })
    },
  }
}
