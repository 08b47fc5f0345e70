// Text that ended too early and still parses, and `eval`, which sees less here than its name says.

import type { SourceText } from '../source-text.ts'
import { staticString, type AnyNode } from '../syntax-tree.ts'
import { isCertain } from '../hook-calls.ts'
import { over, type Lint } from './context.ts'

/** "`see ``` here`": a backtick that should have been escaped makes one template the tag of the next. */
export const lintTemplateTags: Lint = (context) => {
  for (const node of context.tree.nodes) {
    if (node.type !== 'TaggedTemplateExpression') continue
    const { tag, quasi } = node
    if (tag.type !== 'TemplateLiteral' && staticString(tag) === undefined) continue
    const at = context.source.describe(tag.start)
    const finding = over(
      quasi,
      isCertain(node, context.tree),
      'unescaped-backtick',
      `the text that opened at ${at} ends before this backtick, and is then called as a function`,
      { hint: 'if the backtick belongs to the text, write it as `\\``' },
    )
    context.report({ ...finding, end: endOfTick(context.source, quasi) })
  }
}

function endOfTick(source: SourceText, quasi: AnyNode): number {
  return Math.min(quasi.start + 1, source.text.length)
}

export const lintEval: Lint = (context) => {
  for (const node of context.tree.nodes) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'eval') continue
    context.report(
      over(node.callee, false, 'eval', '`eval` sees the names of the sandbox only, not those of this script', {
        hint: 'write the code out',
      }),
    )
  }
}
