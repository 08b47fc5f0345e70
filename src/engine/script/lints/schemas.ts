// Schemas that are written out in the script: those that can't be compiled are found before any agent starts.

import { toPreview } from '../../../shared/index.ts'
import { isCertain } from '../hook-calls.ts'
import { readLiteral } from '../literal.ts'
import { propertyName, type AnyNode } from '../syntax-tree.ts'
import { over, type Lint } from './context.ts'

const MAX_ERRORS = 3

export const lintSchemas: Lint = (context) => {
  const { judgeSchema, scopes, tree } = context
  if (judgeSchema === undefined) return
  const judged = new Set<AnyNode>()
  for (const { hook, node } of context.calls) {
    if (hook !== 'agent') continue
    const options = node.arguments[1]
    const object = options?.type === 'Identifier' ? scopes.constantOf(options) : options
    if (object?.type !== 'ObjectExpression') continue
    const property = object.properties.find((candidate) => propertyName(candidate) === 'schema')
    if (property?.type !== 'Property') continue
    const schema = property.value.type === 'Identifier' ? scopes.constantOf(property.value) : property.value
    // One schema for many agents is judged once.
    if (schema?.type !== 'ObjectExpression' || judged.has(schema)) continue
    judged.add(schema)
    const literal = readLiteral(schema, (name) => scopes.constantOf(name))
    if (literal.problems.length > 0) continue
    const verdict = judgeSchema(literal.value)
    if (verdict.ok) {
      for (const note of verdict.notes) {
        context.report({ ...over(schema, false, 'schema-note', note), severity: 'info', end: schema.start + 1 })
      }
    } else {
      const reasons = verdict.errors.slice(0, MAX_ERRORS).map((error) => toPreview(error, 200))
      const more = verdict.errors.length > MAX_ERRORS ? ` (and ${verdict.errors.length - MAX_ERRORS} more)` : ''
      const message = `this schema is refused: ${reasons.join('; ')}${more}`
      context.report(over(schema, isCertain(node, tree), 'schema', message))
    }
  }
}
