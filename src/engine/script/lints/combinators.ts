// `parallel` takes functions and `pipeline` takes items and stages: what is given already running, or is no function
// at all, is a mistake that costs the whole run.

import { hookOf, isCertain } from '../hook-calls.ts'
import type { Scopes } from '../scopes.ts'
import type { Finding } from '../source-text.ts'
import { isFunction, type AnyNode } from '../syntax-tree.ts'
import { describeValue } from './agent-options.ts'
import { over, type Lint, type LintContext } from './context.ts'

export const lintCombinators: Lint = (context) => {
  for (const { hook, node } of context.calls) {
    if (hook === 'parallel') lintParallel(context, node)
    if (hook === 'pipeline') lintPipeline(context, node)
  }
}

function lintParallel(context: LintContext, call: Extract<AnyNode, { type: 'CallExpression' }>): void {
  const certain = isCertain(call, context.tree)
  const [given] = call.arguments
  if (given === undefined) {
    context.report(over(call, certain, 'parallel-argument', '`parallel()` needs an array of functions'))
  } else if (given.type === 'ArrayExpression') {
    given.elements.forEach((element, index) => {
      if (element === null) {
        const message = `slot ${index} of \`parallel()\` is a hole, not a function`
        context.report(over(given, certain, 'not-a-function', message))
      } else {
        lintSlot(context, element, `slot ${index} of \`parallel()\``, certain)
      }
    })
  } else if (isNeverArray(given)) {
    const message = `\`parallel()\` needs an array of functions, not ${describeValue(given)}`
    context.report(over(given, certain, 'parallel-argument', message, { hint: 'parallel([() => agent(…), …])' }))
  } else {
    lintMappedPromises(context, given)
  }
}

function lintPipeline(context: LintContext, call: Extract<AnyNode, { type: 'CallExpression' }>): void {
  const certain = isCertain(call, context.tree)
  const [items, ...stages] = call.arguments
  if (items === undefined) {
    context.report(over(call, certain, 'pipeline-argument', '`pipeline()` needs an array of items and its stages'))
    return
  }
  if (isNeverArray(items)) {
    const message = `the items of \`pipeline()\` must be an array, not ${describeValue(items)}`
    context.report(over(items, certain, 'pipeline-argument', message))
  }
  stages.forEach((stage, index) => {
    if (stage.type !== 'SpreadElement') lintSlot(context, stage, `stage ${index + 1} of \`pipeline()\``, certain)
  })
}

function lintSlot(context: LintContext, element: AnyNode, slot: string, certain: boolean): void {
  const promise = startedHook(element, context.scopes)
  if (promise !== undefined) {
    const message = `${slot} is a promise: \`${promise}()\` has already been called`
    const hint = `give the function that calls it: () => ${promise}(…)`
    context.report(over(element, certain, 'promise-given', message, { hint, fix: wrapInFunction(element) }))
  } else if (element.type === 'AwaitExpression') {
    const message = `${slot} is awaited before \`parallel\` or \`pipeline\` sees it`
    context.report(over(element, false, 'promise-given', message, { hint: 'give a function: () => …' }))
  } else if (isNeverFunction(element)) {
    context.report(over(element, certain, 'not-a-function', `${slot} is ${describeValue(element)}, not a function`))
  }
}

/** `parallel(items.map((item) => agent(item)))`: the callback starts the agents at once. */
function lintMappedPromises(context: LintContext, given: AnyNode): void {
  if (given.type !== 'CallExpression' || given.callee.type !== 'MemberExpression') return
  const { property } = given.callee
  if (property.type !== 'Identifier' || !['map', 'flatMap'].includes(property.name)) return
  const callback = given.arguments[0]
  if (!isFunction(callback)) return
  const result = callback.body.type === 'BlockStatement' ? onlyReturn(callback.body) : callback.body
  const hook = result ? startedHook(result, context.scopes) : undefined
  if (hook === undefined && !callback.async) return
  const fix = result && hook !== undefined && !callback.async ? wrapInFunction(result) : undefined
  context.report(
    over(callback, false, 'promise-given', '`parallel()` gets promises here: the callback starts its work at once', {
      hint: 'let it return a function: (item) => () => agent(…)',
      fix,
    }),
  )
}

function onlyReturn(block: Extract<AnyNode, { type: 'BlockStatement' }>): AnyNode | undefined {
  const last = block.body.at(-1)
  return last?.type === 'ReturnStatement' ? (last.argument ?? undefined) : undefined
}

function startedHook(node: AnyNode, scopes: Scopes): string | undefined {
  const hook = hookOf(node, scopes)
  return hook === 'agent' || hook === 'workflow' || hook === 'parallel' || hook === 'pipeline' ? hook : undefined
}

function wrapInFunction(node: AnyNode): NonNullable<Finding['fix']> {
  return { title: 'Wrap in a function', start: node.start, end: node.start, text: '() => ' }
}

function isNeverArray(node: AnyNode): boolean {
  return (
    isFunction(node) || node.type === 'Literal' || node.type === 'TemplateLiteral' || node.type === 'ObjectExpression'
  )
}

function isNeverFunction(node: AnyNode): boolean {
  return (
    node.type === 'Literal' ||
    node.type === 'TemplateLiteral' ||
    node.type === 'ObjectExpression' ||
    node.type === 'ArrayExpression'
  )
}
