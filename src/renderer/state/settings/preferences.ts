// How this window is set up for its user: kept in the window, not in the settings that all faces share.

import { isJsonObject } from '../../../shared/index.ts'
import { createStore } from 'zustand/vanilla'
import type { Memory } from '../storage.ts'

export interface Preferences {
  /** Of the editor, in pixels. */
  fontSize: number
  /** A dry run follows each save of a script. */
  dryRunOnSave: boolean
}

export const FONT_SIZES = { least: 9, most: 32, standard: 13 }

const KEY = 'preferences'

export function createPreferences(memory: Memory) {
  const store = createStore<Preferences>(() => recall(memory.read(KEY)))
  store.subscribe((state) => memory.write(KEY, state))
  return {
    store,
    setFontSize: (fontSize: number) => store.setState({ fontSize: limit(fontSize) }),
    toggleDryRunOnSave: () => store.setState(({ dryRunOnSave }) => ({ dryRunOnSave: !dryRunOnSave })),
  }
}

function limit(size: number): number {
  return Math.min(FONT_SIZES.most, Math.max(FONT_SIZES.least, Math.round(size)))
}

function recall(value: unknown): Preferences {
  const known = isJsonObject(value) ? value : {}
  const fontSize = known['fontSize']
  return {
    fontSize: typeof fontSize === 'number' && Number.isFinite(fontSize) ? limit(fontSize) : FONT_SIZES.standard,
    dryRunOnSave: known['dryRunOnSave'] === true,
  }
}
