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
    const children = childrenOf(node)
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i]
      if (child === undefined) continue
      // The one place that sets it.
      ;(child as Linked).parent = node
      pending.push(child)
    }
  }
  return { program, nodes, comments }
}

export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = []
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item)
    } else if (isNode(value)) {
      children.push(value)
    }
  }
  return children
}

function isNode(value: unknown): value is AnyNode {
  return (
    typeof value === 'object' && value !== null && 'type' in value && 'start' in value && typeof value.type === 'string'
  )
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
