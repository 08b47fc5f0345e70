// The way from React to the window's state.

import { createContext, useContext, useSyncExternalStore } from 'react'
import type { AppState } from '../state/app-state.ts'

const AppContext = createContext<AppState | null>(null)

export const AppProvider = AppContext.Provider

export function useApp(): AppState {
  const app = useContext(AppContext)
  if (app === null) throw new Error('useApp outside of AppProvider')
  return app
}

/** A text that depends on the time: drawn again only when it changes, looked at once a second while `ticking`. */
export function useTimeText(ticking: boolean, text: (now: number) => string): string {
  const { clock } = useApp()
  return useSyncExternalStore(ticking ? clock.onTick : neverChanges, () => text(clock.now()))
}

const neverChanges = (): (() => void) => () => {}
