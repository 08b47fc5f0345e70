// The menu of an entry in a list: at the pointer for a right click, below the entry for the menu key.

import { useState, type MouseEvent, type ReactNode, type RefObject } from 'react'
import { MenuAt, type MenuEntries, type MenuPlace } from './menu.tsx'

/** `entries` is asked for while the menu is open; the focus goes back to the entry's button. */
export function useItemMenu(
  button: RefObject<HTMLButtonElement | null>,
  entries: () => MenuEntries,
): { onContextMenu(event: MouseEvent<HTMLElement>): void; shown: ReactNode } {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const close = (): void => {
    setPlace(null)
    button.current?.focus()
  }
  return {
    onContextMenu(event) {
      event.preventDefault()
      const { left, bottom } = event.currentTarget.getBoundingClientRect()
      setPlace(event.button === 2 ? { x: event.clientX, y: event.clientY } : { x: left + 24, y: bottom })
    },
    shown: place !== null && <MenuAt place={place} entries={entries()} onClose={close} />,
  }
}
