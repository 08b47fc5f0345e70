// Where a script calls the hooks by name, and whether a run is sure to get to a place.

import type { HookName } from './known-names.ts'
import { HOOK_NAMES } from './known-names.ts'
import type { Scopes } from './scopes.ts'
import { isFunction, parentOf, type AnyNode, type SyntaxTree } from './syntax-tree.ts'

export type CallNode = Extract<AnyNode, { type: 'CallExpression' }>

export interface HookCall {
  hook: HookName
  node: CallNode
}

const HOOKS: ReadonlySet<string> = new Set(HOOK_NAMES)

/** Calls of names that the script has not declared itself, in source order. */
export function findHookCalls(tree: SyntaxTree, scopes: Scopes): HookCall[] {
  const calls: HookCall[] = []
  for (const node of tree.nodes) {
    const hook = hookOf(node, scopes)
    // hookOf answers for calls alone.
    if (hook !== undefined) calls.push({ hook, node: node as CallNode })
  }
  return calls.sort((a, b) => a.node.start - b.node.start)
}

/** The hook that a node calls, if it calls one. */
export function hookOf(node: AnyNode | null | undefined, scopes: Scopes): HookName | undefined {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined
  if (!HOOKS.has(node.callee.name) || !scopes.isUnresolved(node.callee)) return undefined
  // A member of HOOKS, as just checked.
  return node.callee.name as HookName
}

/** Parents through which evaluation always passes to their children. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'ExpressionStatement',
  'VariableDeclaration',
  'VariableDeclarator',
  'AwaitExpression',
  'CallExpression',
  'NewExpression',
  'ArrayExpression',
  'ObjectExpression',
  'Property',
  'SpreadElement',
  'TemplateLiteral',
  'TaggedTemplateExpression',
  'BinaryExpression',
  'UnaryExpression',
  'SequenceExpression',
  'MemberExpression',
  'ReturnStatement',
  'ThrowStatement',
  'BlockStatement',
])

/** True when every run that gets past the statements above evaluates this node, with nothing around that could catch. */
export function isCertain(node: AnyNode, tree: SyntaxTree): boolean {
  let child = node
  for (let parent = parentOf(node); parent !== undefined; parent = parentOf(parent)) {
    if (parent.type === 'Program') return !leavesBefore(child, tree)
    if (parent.type === 'AssignmentExpression') {
      if (parent.right !== child || parent.operator !== '=') return false
    } else if (!TRANSPARENT.has(parent.type) || isFunction(parentOf(parent)) || isOptional(parent)) {
      return false
    }
    child = parent
  }
  return false
}

function isOptional(node: AnyNode): boolean {
  return (node.type === 'CallExpression' || node.type === 'MemberExpression') && node.optional
}

const firstExits = new WeakMap<SyntaxTree, number>()

/** True when a statement above the given top-level one may end the script. */
function leavesBefore(statement: AnyNode, tree: SyntaxTree): boolean {
  let firstExit = firstExits.get(tree)
  if (firstExit === undefined) {
    firstExit = Infinity
    for (const node of tree.nodes) {
      const exits = (node.type === 'ReturnStatement' || node.type === 'ThrowStatement') && node.end < firstExit
      if (exits && !isInFunction(node)) firstExit = node.end
    }
    firstExits.set(tree, firstExit)
  }
  return firstExit <= statement.start
}

export function isInFunction(node: AnyNode): boolean {
  for (let parent = parentOf(node); parent !== undefined; parent = parentOf(parent)) {
    if (isFunction(parent)) return true
  }
  return false
}
