// `agent(prompt, options)`: a prompt there has to be, and every option is known and of its kind.

import { nearestName } from '../../../shared/index.ts'
import { isCertain } from '../hook-calls.ts'
import { AGENT_OPTIONS, EFFORTS } from '../known-names.ts'
import { describeConstruct } from '../literal.ts'
import { propertyName, staticString, type AnyNode } from '../syntax-tree.ts'
import { over, type Lint, type LintContext } from './context.ts'

export const lintAgentOptions: Lint = (context) => {
  for (const { hook, node } of context.calls) {
    if (hook !== 'agent') continue
    const certain = isCertain(node, context.tree)
    const [prompt, options] = node.arguments
    lintPrompt(context, node, prompt, certain)
    if (options !== undefined) lintOptions(context, options, certain)
  }
}

function lintPrompt(context: LintContext, call: AnyNode, prompt: AnyNode | undefined, certain: boolean): void {
  if (prompt === undefined) {
    context.report(over(call, certain, 'agent-prompt', '`agent()` needs a prompt', { hint: "agent('what to do')" }))
    return
  }
  const text = staticString(prompt)
  if (text !== undefined && text.trim() === '') {
    context.report(over(prompt, certain, 'agent-prompt', 'the prompt of `agent()` is empty'))
  } else if (text === undefined && isNeverString(prompt)) {
    const given = describeValue(prompt)
    context.report(over(prompt, certain, 'agent-prompt', `the prompt of \`agent()\` must be a string, not ${given}`))
  }
}

function lintOptions(context: LintContext, options: AnyNode, certain: boolean): void {
  const object = options.type === 'Identifier' ? context.scopes.constantOf(options) : options
  if (object?.type !== 'ObjectExpression') {
    if (object && (isNeverString(object) || staticString(object) !== undefined) && !isUndefined(object)) {
      const given = describeValue(object)
      context.report(
        over(options, certain, 'agent-options', `the options of \`agent()\` must be an object, not ${given}`),
      )
    }
    return
  }
  for (const property of object.properties) {
    const name = propertyName(property)
    if (name === undefined || property.type !== 'Property') continue
    if ((AGENT_OPTIONS as readonly string[]).includes(name)) lintOption(context, name, property.value, certain)
    else reportUnknown(context, property.key, name, certain)
  }
}

function reportUnknown(context: LintContext, key: AnyNode, name: string, certain: boolean): void {
  const near = nearestName(name, AGENT_OPTIONS)
  const fix =
    near === undefined || key.type !== 'Identifier'
      ? undefined
      : { title: `Change to \`${near}\``, start: key.start, end: key.end, text: near }
  const hint = near === undefined ? `known are ${AGENT_OPTIONS.join(', ')}` : `did you mean \`${near}\`?`
  context.report(over(key, certain, 'unknown-option', `\`agent()\` has no option \`${name}\``, { hint, fix }))
}

function lintOption(context: LintContext, name: string, value: AnyNode, certain: boolean): void {
  const wrong = (what: string): void =>
    context.report(over(value, certain, 'option-value', `the option \`${name}\` must be ${what}`))
  const text = staticString(value)
  if (text === undefined && !isNeverString(value)) return
  if (isUndefined(value)) return
  switch (name) {
    case 'effort':
      if (text === undefined || !(EFFORTS as readonly string[]).includes(text)) wrong(`one of ${EFFORTS.join(', ')}`)
      return
    case 'isolation':
      if (text !== 'worktree') wrong("'worktree'")
      return
    case 'allowedTools':
      if (value.type !== 'ArrayExpression') wrong('an array of strings')
      return
    case 'schema':
      if (value.type !== 'ObjectExpression' && !(value.type === 'Literal' && typeof value.value === 'boolean')) {
        wrong('a JSON Schema: an object, `true` or `false`')
      }
      return
    default:
      if (text === undefined) wrong('a string')
      else if (text.trim() === '' && name !== 'label') wrong('a string that is not empty')
  }
}

/** Literals whose value is known to be no string. */
function isNeverString(node: AnyNode): boolean {
  switch (node.type) {
    case 'Literal':
      return typeof node.value !== 'string'
    case 'ObjectExpression':
    case 'ArrayExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ClassExpression':
      return true
    case 'Identifier':
      return node.name === 'undefined'
    default:
      return false
  }
}

function isUndefined(node: AnyNode): boolean {
  return node.type === 'Identifier' && node.name === 'undefined'
}

export function describeValue(node: AnyNode): string {
  const text = staticString(node)
  if (text !== undefined) return 'a string'
  switch (node.type) {
    case 'Literal':
      if (node.value === null) return 'null'
      return typeof node.value === 'object' ? 'a regular expression' : `a ${typeof node.value}`
    case 'ObjectExpression':
      return 'an object'
    case 'ArrayExpression':
      return 'an array'
    case 'Identifier':
      return `\`${node.name}\``
    case 'TemplateLiteral':
      return 'a string'
    default:
      return describeConstruct(node)
  }
}
