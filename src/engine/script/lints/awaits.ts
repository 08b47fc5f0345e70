// Hook calls whose promise nobody waits for: a run that ends aborts what they started.

import { isFunction, parentOf, type AnyNode } from '../syntax-tree.ts'
import { over, type Lint } from './context.ts'

const ASYNC_HOOKS: ReadonlySet<string> = new Set(['agent', 'parallel', 'pipeline', 'workflow'])

export const lintUnawaited: Lint = (context) => {
  for (const { hook, node } of context.calls) {
    if (!ASYNC_HOOKS.has(hook) || parentOf(node)?.type !== 'ExpressionStatement') continue
    const fix = canAwait(node) ? { title: 'Add await', start: node.start, end: node.start, text: 'await ' } : undefined
    context.report(
      over(
        node,
        false,
        'unawaited-agent',
        `nobody waits for this \`${hook}()\`: it is aborted when the script returns`,
        {
          hint: canAwait(node) ? 'put `await` before it' : 'make the function around it `async` and await it',
          fix,
        },
      ),
    )
  }
}

function canAwait(node: AnyNode): boolean {
  for (let parent = parentOf(node); parent !== undefined; parent = parentOf(parent)) {
    if (isFunction(parent)) return parent.async
    if (parent.type === 'StaticBlock') return false
  }
  return true
}
