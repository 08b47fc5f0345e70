// Which parts of the window are shown, remembered.

import { isJsonObject } from '../../shared/index.ts'
import { createStore } from 'zustand/vanilla'
import type { Memory } from './storage.ts'

export interface LayoutState {
  timeline: boolean
  /** How JSON is shown. */
  json: 'tree' | 'text'
}

const KEY = 'layout'

export function createLayout(memory: Memory) {
  const store = createStore<LayoutState>(() => recall(memory.read(KEY)))
  store.subscribe((state) => memory.write(KEY, state))
  return {
    store,
    toggleTimeline: () => store.setState(({ timeline }) => ({ timeline: !timeline })),
    showJsonAs: (json: LayoutState['json']) => store.setState({ json }),
  }
}

function recall(value: unknown): LayoutState {
  const known = isJsonObject(value) ? value : {}
  return { timeline: known['timeline'] !== false, json: known['json'] === 'text' ? 'text' : 'tree' }
}
