// The jobs of the checker's worker, as plain functions.

import { isJsonObject, type JsonValue } from '../../shared/index.ts'
import { analyzeScript } from '../script/analyze.ts'
import type { JobName, JobRequest, Jobs } from './protocol.ts'
import { canonicalOf } from './canonical-schema.ts'
import { describeErrors } from './schema/describe-errors.ts'
import { SchemaCache } from './schema/schema-cache.ts'

const schemas = new SchemaCache()

export function performJob(request: JobRequest): Jobs[JobName]['result'] {
  switch (request.job) {
    case 'analyze':
      return analyze(request.params)
    case 'compile':
      return compile(request.params)
    case 'validate':
      return validate(request.params)
  }
}

function analyze({ script, workflows }: Jobs['analyze']['params']): Jobs['analyze']['result'] {
  const { meta, diagnostics, prepared } = analyzeScript(script, {
    ...(workflows && { workflows }),
    judgeSchema: (schema) => {
      const key = canonicalOf(schema)
      return key.ok ? schemas.compile(key.text) : { ok: false, errors: [key.error] }
    },
  })
  return { meta, diagnostics, prepared }
}

function compile({ schema }: Jobs['compile']['params']): Jobs['compile']['result'] {
  const compiled = schemas.compile(schema)
  if (!compiled.ok) return compiled
  const { wrapped, objectSchema, notes } = compiled
  return { ok: true, wrapped, objectSchema, notes }
}

function validate({ schema, value, form }: Jobs['validate']['params']): Jobs['validate']['result'] {
  const compiled = schemas.compile(schema)
  if (!compiled.ok) return compiled
  const unwrap = form === 'wrapped' && compiled.wrapped
  const problem = unwrap ? wrapperProblem(value) : undefined
  if (problem !== undefined) return { ok: false, errors: [problem] }
  // A wrapped answer has an own property `value`: wrapperProblem has looked.
  const inner = unwrap && isJsonObject(value) ? (value['value'] as JsonValue) : value
  try {
    const errors = compiled.check(inner)
    if (errors.length === 0) return { ok: true, unwrap }
    // The agent is told the paths of what it gave.
    return { ok: false, errors: describeErrors(errors, unwrap ? '/value' : 'the answer', unwrap ? '/value' : '') }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, errors: ['invalid: too deep'] }
    throw error
  }
}

function wrapperProblem(value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return 'the answer must be an object with the property "value"'
  if (!Object.hasOwn(value, 'value')) return 'the answer lacks the property "value"'
  const other = Object.keys(value).find((name) => name !== 'value')
  return other === undefined ? undefined : `the answer has the property ${JSON.stringify(other)}, which is not allowed`
}
