// Light, dark, or what the system says. The choice is remembered; `data-theme` on the root element carries the outcome.

import { createStore } from 'zustand/vanilla'
import type { Memory } from '../storage.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'
export type Theme = 'light' | 'dark'

export interface ThemeState {
  choice: ThemeChoice
  theme: Theme
}

const KEY = 'theme'
const ORDER: readonly ThemeChoice[] = ['system', 'light', 'dark']

export interface ThemeSource {
  matches: boolean
  addEventListener(type: 'change', listener: () => void): void
}

/** `prefersDark` is the media query `(prefers-color-scheme: dark)`; `apply` is told each theme, the first one at once. */
export function createThemeStore(memory: Memory, prefersDark: ThemeSource, apply: (theme: Theme) => void) {
  const resolve = (choice: ThemeChoice): Theme =>
    choice === 'system' ? (prefersDark.matches ? 'dark' : 'light') : choice
  const remembered = ORDER.find((choice) => choice === memory.read(KEY)) ?? 'system'
  const store = createStore<ThemeState>(() => ({ choice: remembered, theme: resolve(remembered) }))
  apply(store.getState().theme)
  const set = (choice: ThemeChoice): void => {
    const theme = resolve(choice)
    store.setState({ choice, theme })
    apply(theme)
  }
  prefersDark.addEventListener('change', () => set(store.getState().choice))
  return {
    store,
    choose(choice: ThemeChoice): void {
      memory.write(KEY, choice)
      set(choice)
    },
    /** System, light, dark, and around. */
    cycle(): void {
      const next = ORDER[(ORDER.indexOf(store.getState().choice) + 1) % ORDER.length] ?? 'system'
      this.choose(next)
    },
  }
}

export type ThemeSettings = ReturnType<typeof createThemeStore>
