// Arrow keys in lists of buttons: one tab stop a list, arrows within it, as in other sidebars.

import type { KeyboardEvent } from 'react'

/** For the element around the list. */
export function onListKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('li > button')]
  const at = items.findIndex((item) => item === document.activeElement)
  if (at === -1) return
  const target = targetOf(event.key, at, items.length)
  if (target === undefined) return
  event.preventDefault()
  items[target]?.focus()
}

function targetOf(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, at + 1)
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
