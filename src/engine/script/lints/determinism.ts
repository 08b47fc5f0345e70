// Clocks, randomness and names that do not exist in a script: what would make a resume lie, or the run fail.

import { nearestName } from '../../../shared/index.ts'
import { isCertain } from '../hook-calls.ts'
import { KNOWN_NAMES, whyAbsent } from '../known-names.ts'
import { isTypeofOperand, isWritten, type IdentifierNode } from '../scopes.ts'
import { parentOf, type AnyNode } from '../syntax-tree.ts'
import { over, type Lint, type LintContext } from './context.ts'

export const lintClockAndRandomness: Lint = (context) => {
  for (const node of context.tree.nodes) {
    const found = clockUse(node, context) ?? randomUse(node, context)
    if (found !== undefined) {
      context.report(over(node, isCertain(node, context.tree), found.code, found.message, { hint: found.hint }))
    }
  }
}

const CLOCK_HINT = 'pass a timestamp in `args`, and make dates from it: `new Date(args.now)`'
const RANDOM_HINT = 'vary prompts by their index instead'

interface Use {
  code: string
  message: string
  hint: string
}

function clockUse(node: AnyNode, context: LintContext): Use | undefined {
  const clock = (text: string): Use => ({
    code: 'clock',
    message: `\`${text}\` throws: the time differs when a run is resumed`,
    hint: CLOCK_HINT,
  })
  if (node.type === 'NewExpression' && isGlobal(node.callee, 'Date', context) && node.arguments.length === 0) {
    return clock('new Date()')
  }
  if (node.type !== 'CallExpression') return undefined
  if (isGlobal(node.callee, 'Date', context)) return clock('Date()')
  if (isMember(node.callee, 'Date', 'now', context)) return clock('Date.now()')
  return undefined
}

function randomUse(node: AnyNode, context: LintContext): Use | undefined {
  if (node.type !== 'CallExpression' || !isMember(node.callee, 'Math', 'random', context)) return undefined
  return {
    code: 'randomness',
    message: '`Math.random()` throws: the numbers differ when a run is resumed',
    hint: RANDOM_HINT,
  }
}

function isGlobal(node: AnyNode, name: string, { scopes }: LintContext): boolean {
  return node.type === 'Identifier' && node.name === name && scopes.isUnresolved(node)
}

function isMember(node: AnyNode, object: string, property: string, context: LintContext): boolean {
  return (
    node.type === 'MemberExpression' &&
    !node.computed &&
    node.property.type === 'Identifier' &&
    node.property.name === property &&
    isGlobal(node.object, object, context)
  )
}

/** Looking for the nearest name is slow where there are thousands. */
const MAX_SUGGESTIONS = 50

export const lintUnknownNames: Lint = (context) => {
  const assigned = globalsSetByScript(context)
  const candidates = [...context.scopes.declared, ...KNOWN_NAMES]
  let suggestions = 0
  for (const node of context.scopes.unresolved) {
    const { name } = node
    if (KNOWN_NAMES.has(name) || isTypeofOperand(node) || assigned.has(name)) continue
    // `require()` is refused elsewhere.
    if (name === 'require' && parentOf(node)?.type === 'CallExpression') continue
    if (isGuarded(node)) continue
    const certain = isCertain(node, context.tree) && !isWritten(node)
    const absent = whyAbsent(name)
    if (absent !== undefined) {
      const code = absent.kind === 'absent' ? 'unknown-name' : absent.kind
      context.report(over(node, certain, code, `\`${name}\` does not exist in a script`, { hint: absent.why }))
      continue
    }
    // Short names are near to everything.
    const suggest = name.length >= 3 && suggestions++ < MAX_SUGGESTIONS
    const near = suggest ? nearestOther(name, candidates) : undefined
    context.report(
      over(node, certain, 'unknown-name', `\`${name}\` is not defined`, {
        hint: near === undefined ? undefined : `did you mean \`${near}\`?`,
        fix:
          near === undefined
            ? undefined
            : { title: `Change to \`${near}\``, start: node.start, end: node.end, text: near },
      }),
    )
  }
}

function nearestOther(name: string, candidates: readonly string[]): string | undefined {
  return nearestName(
    name,
    candidates.filter((candidate) => candidate !== name),
  )
}

/** Names that the script itself puts on `globalThis`. */
function globalsSetByScript({ tree }: LintContext): Set<string> {
  const names = new Set<string>()
  for (const node of tree.nodes) {
    if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') continue
    const { object, property, computed } = node.left
    if (object.type !== 'Identifier' || object.name !== 'globalThis') continue
    if (!computed && property.type === 'Identifier') names.add(property.name)
    if (property.type === 'Literal' && typeof property.value === 'string') names.add(property.value)
  }
  return names
}

/** `typeof name === 'function' ? name() : …` and its like: the author knows that the name may be missing. */
function isGuarded(node: IdentifierNode): boolean {
  for (let parent = parentOf(node); parent !== undefined; parent = parentOf(parent)) {
    if (parent.type === 'ConditionalExpression' || parent.type === 'IfStatement') {
      if (asksTypeof(parent.test, node.name)) return true
    }
    if (parent.type === 'LogicalExpression' && asksTypeof(parent.left, node.name)) return true
  }
  return false
}

function asksTypeof(test: AnyNode, name: string): boolean {
  if (test.type === 'LogicalExpression') return asksTypeof(test.left, name) || asksTypeof(test.right, name)
  if (test.type === 'BinaryExpression') return asksTypeof(test.left, name) || asksTypeof(test.right, name)
  return (
    test.type === 'UnaryExpression' &&
    test.operator === 'typeof' &&
    test.argument.type === 'Identifier' &&
    test.argument.name === name
  )
}
