// What a key does in the tree, after the ARIA Authoring Practices for tree views.

import type { ExpansionAction } from './expansion.ts'
import type { TreeRow } from './rows.ts'

export interface KeyOutcome {
  /** The row that becomes active. */
  active?: string
  expansion?: ExpansionAction
  /** Enter or Space: open a level, or show an agent. */
  activate?: string
}

/** Undefined when the tree does nothing with the key. `page` is how many rows fit in view. */
export function treeKey(
  rows: readonly TreeRow[],
  activeId: string | undefined,
  key: string,
  page: number,
): KeyOutcome | undefined {
  if (rows.length === 0) return undefined
  const found = rows.findIndex((row) => row.id === activeId)
  const index = Math.max(0, found)
  const row = rows[index]
  if (row === undefined) return undefined
  const move = (to: number): KeyOutcome => {
    const target = rows[Math.min(rows.length - 1, Math.max(0, to))]
    return target === undefined ? {} : { active: target.id }
  }
  switch (key) {
    case 'ArrowDown':
      return move(found === -1 ? 0 : index + 1)
    case 'ArrowUp':
      return move(index - 1)
    case 'PageDown':
      return move(index + page)
    case 'PageUp':
      return move(index - page)
    case 'Home':
      return move(0)
    case 'End':
      return move(rows.length - 1)
    case 'ArrowRight':
      if (row.open === undefined) return {}
      return row.open ? move(index + 1) : { expansion: { type: 'set', id: row.id, open: true } }
    case 'ArrowLeft':
      if (row.open === true) return { expansion: { type: 'set', id: row.id, open: false } }
      return row.parent === undefined ? {} : { active: row.parent }
    case 'Enter':
    case ' ':
      return { active: row.id, activate: row.id }
    case '*': {
      const ids = rows
        .filter((other) => other.parent === row.parent && other.open !== undefined)
        .map((other) => other.id)
      return { expansion: { type: 'set-all', ids, open: true } }
    }
    default:
      return undefined
  }
}

/** The next row from the active one whose title begins with what was typed; the same letter again goes on to the next. */
export function typeAhead(rows: readonly TreeRow[], activeId: string | undefined, typed: string): string | undefined {
  if (typed === '' || rows.length === 0) return undefined
  const first = typed.charAt(0)
  const repeated = typed === first.repeat(typed.length)
  const wanted = (repeated ? first : typed).toLowerCase()
  const start = rows.findIndex((row) => row.id === activeId)
  // A growing word may stay where it is; a single letter moves on.
  const from = repeated ? start + 1 : Math.max(0, start)
  for (let step = 0; step < rows.length; step++) {
    const row = rows[(from + step) % rows.length]
    if (row !== undefined && searchTitle(row).startsWith(wanted)) return row.id
  }
  return undefined
}

function searchTitle(row: TreeRow): string {
  return row.node.title.replace(/^▸ /, '').toLowerCase()
}
