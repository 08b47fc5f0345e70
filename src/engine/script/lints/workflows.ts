// `workflow('name')`: the name is known, and is not the script's own.

import { nearestName, toPreview } from '../../../shared/index.ts'
import { staticString } from '../syntax-tree.ts'
import { describeValue } from './agent-options.ts'
import { over, type Lint } from './context.ts'

export const lintWorkflowNames: Lint = (context) => {
  for (const { hook, node } of context.calls) {
    if (hook !== 'workflow') continue
    const [reference] = node.arguments
    if (reference === undefined || (reference.type === 'Literal' && typeof reference.value !== 'string')) {
      const given = reference === undefined ? 'nothing' : describeValue(reference)
      const message = `\`workflow()\` needs a name or \`{ scriptPath }\`, not ${given}`
      context.report(over(reference ?? node, false, 'workflow-name', message))
      continue
    }
    const name = staticString(reference)
    if (name === undefined) continue
    if (name === context.meta?.name) {
      const message = 'a workflow that calls itself by name is refused'
      context.report(over(reference, false, 'workflow-self', message))
      continue
    }
    const known = context.workflows
    if (known === undefined || known.includes(name)) continue
    const near = nearestName(name, known)
    const message = `no workflow is called \`${toPreview(name, 60)}\``
    context.report(
      over(reference, false, 'unknown-workflow', message, {
        hint: near === undefined ? undefined : `did you mean \`${near}\`?`,
        fix:
          near === undefined
            ? undefined
            : { title: `Change to '${near}'`, start: reference.start, end: reference.end, text: `'${near}'` },
      }),
    )
  }
}
