// A parsed script as one flat list of nodes that know their parents, so that nothing that reads it recurses:
// a script can be nested as deep as the parser allows without any of the passes overflowing the stack.

import type { AnyNode, Comment, Program } from 'acorn'

export type { AnyNode } from 'acorn'

type Linked = AnyNode & { parent?: AnyNode }

export interface SyntaxTree {
  readonly program: Program
  /** Every node, parents before children, in source order. */
  readonly nodes: readonly AnyNode[]
  readonly comments: readonly Comment[]
}

export function parentOf(node: AnyNode): AnyNode | undefined {
  // buildTree put it there; acorn's own types don't know of it.
  return (node as Linked).parent
}

export function buildTree(program: Program, comments: readonly Comment[]): SyntaxTree {
  const nodes: AnyNode[] = []
  const pending: AnyNode[] = [program]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    nodes.push(node)
    pushChildren(node, pending)
  }
  return { program, nodes, comments }
}

/** Children go onto the stack in reverse, so that they come off it in source order. Runs for every node of every script. */
function pushChildren(node: AnyNode, pending: AnyNode[]): void {
  // Read by key: acorn's types know the fields of each kind of node, this wants those of any.
  const fields = node as unknown as Record<string, unknown>
  const keys = Object.keys(node)
  for (let k = keys.length - 1; k >= 0; k--) {
    const key = keys[k] ?? ''
    const value = fields[key]
    if (typeof value !== 'object' || value === null || key === 'parent') continue
    if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) link(value[i], node, pending)
    } else {
      link(value, node, pending)
    }
  }
}

function link(child: unknown, parent: AnyNode, pending: AnyNode[]): void {
  if (typeof child !== 'object' || child === null) return
  // Every node has a type; regular expressions and the values of literals have none.
  const node = child as Linked
  if (typeof node.type !== 'string') return
  node.parent = parent
  pending.push(node)
}

export function isFunction(
  node: AnyNode | null | undefined,
): node is Extract<AnyNode, { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }> {
  return (
    node?.type === 'FunctionDeclaration' ||
    node?.type === 'FunctionExpression' ||
    node?.type === 'ArrowFunctionExpression'
  )
}

/** The text of a string literal or of a template literal without `${}`; undefined for anything else. */
export function staticString(node: AnyNode | null | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined
  return undefined
}

/** The name of a property that is written out: `a`, `'a'`; undefined for a computed one. */
export function propertyName(property: AnyNode): string | undefined {
  if (property.type !== 'Property' || property.computed) return undefined
  if (property.key.type === 'Identifier') return property.key.name
  if (property.key.type === 'Literal') return String(property.key.value)
  return undefined
}
