// Which levels of the tree are open. They open on running and failing work and fold on clean completion once;
// what the user chose stands.

import type { AgentStatus } from '../../../shared/index.ts'
import type { ContainerNode, TreeNode } from './run-tree.ts'

export interface Expansion {
  /** By the user's hand. */
  chosen: ReadonlyMap<string, boolean>
  /** By the rule; what is in neither map is closed. */
  automatic: ReadonlyMap<string, boolean>
  /** Folded once already: not folded again. */
  folded: ReadonlySet<string>
}

export type ExpansionAction =
  | { type: 'toggle'; id: string }
  | { type: 'set'; id: string; open: boolean }
  | { type: 'set-all'; ids: readonly string[]; open: boolean }
  /** The tree changed. `keepOpen` holds what must not fold now: the levels around the selected row. */
  | { type: 'tree-changed'; tree: readonly TreeNode[]; keepOpen: ReadonlySet<string> }

export const EMPTY_EXPANSION: Expansion = { chosen: new Map(), automatic: new Map(), folded: new Set() }

/** A finished run with no more agents than this is shown opened out: nothing is gained by hiding them. */
const SMALL_RUN = 40

export function isOpen(expansion: Expansion, id: string): boolean {
  return expansion.chosen.get(id) ?? expansion.automatic.get(id) ?? false
}

/** The first expansion of a run that is opened, from how it stands. */
export function initialExpansion(tree: readonly TreeNode[]): Expansion {
  const containers = listContainers(tree)
  const agents = tree.reduce((sum, node) => sum + (node.kind === 'agent' ? 1 : node.agents), 0)
  const automatic = new Map<string, boolean>()
  const folded = new Set<string>()
  for (const node of containers) {
    automatic.set(node.id, agents <= SMALL_RUN ? node.children.length > 0 : wantsOpen(node))
    if (isClean(node.status)) folded.add(node.id)
  }
  return { chosen: new Map(), automatic, folded }
}

export function reduceExpansion(expansion: Expansion, action: ExpansionAction): Expansion {
  switch (action.type) {
    case 'toggle':
      return choose(expansion, [action.id], !isOpen(expansion, action.id))
    case 'set':
      return isOpen(expansion, action.id) === action.open ? expansion : choose(expansion, [action.id], action.open)
    case 'set-all':
      return choose(expansion, action.ids, action.open)
    case 'tree-changed':
      return followTree(expansion, action)
  }
}

function choose(expansion: Expansion, ids: readonly string[], open: boolean): Expansion {
  const chosen = new Map(expansion.chosen)
  for (const id of ids) chosen.set(id, open)
  return { ...expansion, chosen }
}

type TreeChange = Extract<ExpansionAction, { type: 'tree-changed' }>

function followTree(expansion: Expansion, { tree, keepOpen }: TreeChange): Expansion {
  let automatic: Map<string, boolean> | undefined
  let folded: Set<string> | undefined
  for (const node of listContainers(tree)) {
    if (expansion.chosen.has(node.id)) continue
    const open = expansion.automatic.get(node.id) ?? false
    if (!open && wantsOpen(node)) {
      automatic ??= new Map(expansion.automatic)
      automatic.set(node.id, true)
    } else if (open && isClean(node.status) && !expansion.folded.has(node.id) && !keepOpen.has(node.id)) {
      automatic ??= new Map(expansion.automatic)
      automatic.set(node.id, false)
      folded ??= new Set(expansion.folded)
      folded.add(node.id)
    }
  }
  if (automatic === undefined) return expansion
  return { ...expansion, automatic, folded: folded ?? expansion.folded }
}

function wantsOpen(node: ContainerNode): boolean {
  return node.children.length > 0 && (node.status === 'running' || node.failed > 0 || node.status === 'failed')
}

function isClean(status: AgentStatus): boolean {
  return status === 'completed' || status === 'replayed'
}

export function listContainers(tree: readonly TreeNode[]): ContainerNode[] {
  const found: ContainerNode[] = []
  for (const node of tree) {
    if (node.kind === 'agent') continue
    found.push(node, ...listContainers(node.children))
  }
  return found
}
