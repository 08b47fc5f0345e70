import { expect, it } from 'vitest'
import { createThemeStore } from '../../../../src/renderer/state/settings/theme.ts'
import { createMemory } from '../../../../src/renderer/state/storage.ts'
import { MapStorage } from '../../../support/renderer/map-storage.ts'

function system(dark: boolean) {
  const listeners: (() => void)[] = []
  const source = {
    matches: dark,
    addEventListener: (_type: 'change', listener: () => void) => void listeners.push(listener),
  }
  const change = (toDark: boolean): void => {
    source.matches = toDark
    for (const listener of listeners) listener()
  }
  return { source, change }
}

it('follows the system until the user chooses', () => {
  const applied: string[] = []
  const { source, change } = system(true)
  const theme = createThemeStore(createMemory(new MapStorage()), source, (next) => applied.push(next))
  change(false)
  theme.choose('dark')
  change(false)
  expect(applied).toEqual(['dark', 'light', 'dark', 'dark'])
})

it('remembers the choice', () => {
  const storage = new MapStorage()
  createThemeStore(createMemory(storage), system(true).source, () => {}).choose('light')
  const again = createThemeStore(createMemory(storage), system(true).source, () => {})
  expect(again.store.getState()).toEqual({ choice: 'light', theme: 'light' })
})

it('goes round system, light and dark', () => {
  const theme = createThemeStore(createMemory(new MapStorage()), system(false).source, () => {})
  const seen = [1, 2, 3].map(() => {
    theme.cycle()
    return theme.store.getState().choice
  })
  expect(seen).toEqual(['light', 'dark', 'system'])
})
