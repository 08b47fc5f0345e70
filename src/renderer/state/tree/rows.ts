// The tree as a flat list of visible rows: what the virtual list draws and the keys move over.

import { isOpen, type Expansion } from './expansion.ts'
import type { TreeNode } from './run-tree.ts'

export interface TreeRow {
  id: string
  node: TreeNode
  /** From 1, as `aria-level`. */
  level: number
  /** From 1, among its siblings. */
  position: number
  siblings: number
  /** Undefined for a row that has nothing to open. */
  open: boolean | undefined
  parent: string | undefined
}

export function flattenTree(tree: readonly TreeNode[], expansion: Expansion): TreeRow[] {
  const rows: TreeRow[] = []
  const visit = (nodes: readonly TreeNode[], level: number, parent: string | undefined): void => {
    nodes.forEach((node, index) => {
      const hasChildren = node.kind !== 'agent' && node.children.length > 0
      const open = hasChildren ? isOpen(expansion, node.id) : undefined
      rows.push({ id: node.id, node, level, position: index + 1, siblings: nodes.length, open, parent })
      if (open && node.kind !== 'agent') visit(node.children, level + 1, node.id)
    })
  }
  visit(tree, 1, undefined)
  return rows
}

/** The ids of the levels around a node, outermost first; empty for an unknown id and for a node at the top. */
export function ancestorsOf(tree: readonly TreeNode[], id: string): string[] {
  for (const node of tree) {
    if (node.kind === 'agent') continue
    if (node.children.some((child) => child.id === id)) return [node.id]
    const deeper = ancestorsOf(node.children, id)
    if (deeper.length > 0) return [node.id, ...deeper]
  }
  return []
}
