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

/** The time, once a second while `ticking`; else as of the last render. */
export function useNow(ticking: boolean): number {
  const { clock } = useApp()
  return useSyncExternalStore(ticking ? clock.onTick : neverChanges, clock.now)
}

const neverChanges = (): (() => void) => () => {}
