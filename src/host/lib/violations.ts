// Turns what ajv finds into sentences: every violation at once, each with its path, what was given and what is allowed.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { nearestName, toPreview } from '../../shared/index.ts'

// The schemas are our own, and the type checker knows their shape: to check each against the metaschema would only take
// a tenth of a second of every start.
const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, meta: false, validateSchema: false })

/** A check by a JSON Schema that answers with every violation in words; none means valid. Compiled when it is first asked. */
export function compileCheck(schema: object, whole = 'the value'): (value: unknown) => string[] {
  const check = compileLenientCheck(schema, whole)
  return (value) => {
    const { violations, unknown } = check(value)
    return [...unknown, ...violations]
  }
}

/** The same, with fields that the schema does not know apart: a file from a newer version may hold some. */
export function compileLenientCheck(
  schema: object,
  whole = 'the value',
): (value: unknown) => { violations: string[]; unknown: string[] } {
  let compiled: ValidateFunction | undefined
  return (value) => {
    const validate = (compiled ??= ajv.compile(schema))
    if (validate(value)) return { violations: [], unknown: [] }
    const errors = validate.errors ?? []
    const isUnknown = (error: ErrorObject): boolean =>
      error.keyword === 'additionalProperties' && !error.schemaPath.includes('/anyOf/')
    return {
      violations: [
        ...new Set(
          describeErrors(
            errors.filter((error) => !isUnknown(error)),
            whole,
          ),
        ),
      ],
      unknown: [...new Set(describeErrors(errors.filter(isUnknown), whole))],
    }
  }
}

function describeErrors(errors: readonly ErrorObject[], whole: string): string[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf')
  // Only outermost unions are settled here; what lies within a branch is described when its branch is chosen.
  const outer = unions.filter(
    (union) => !unions.some((other) => other !== union && union.schemaPath.startsWith(`${other.schemaPath}/`)),
  )
  const messages: string[] = []
  for (const error of errors) {
    if (outer.includes(error)) messages.push(...describeUnion(error, errors, whole))
    else if (!outer.some((union) => error.schemaPath.startsWith(`${union.schemaPath}/`)))
      messages.push(describeError(error, whole))
  }
  return messages
}

function describeUnion(union: ErrorObject, errors: readonly ErrorObject[], whole: string): string[] {
  const place = nameOf(union.instancePath, whole)
  const forms = Array.isArray(union.schema) ? union.schema.map(toRecord) : []
  const literals = forms.map((form) => form['const'])
  if (literals.every((literal) => literal !== undefined)) {
    return [`${place} must be one of ${literals.map(show).join(', ')}${given(union.data)}`]
  }
  const tag = Object.keys(toRecord(forms[0]?.['properties'])).find((name) =>
    forms.every((form) => tagOf(form, name) !== undefined),
  )
  if (tag !== undefined && isRecord(union.data)) {
    const value = union.data[tag]
    const chosen = forms.findIndex((form) => tagOf(form, tag) === value)
    if (chosen >= 0) {
      const within = errors.filter((error) => error.schemaPath.startsWith(`${union.schemaPath}/${chosen}/`))
      return describeErrors(within, whole)
    }
    const allowed = forms.map((form) => show(tagOf(form, tag))).join(', ')
    const path = nameOf(`${union.instancePath}/${tag}`, whole)
    return [
      value === undefined
        ? `${path} is missing: one of ${allowed}`
        : `${path} must be one of ${allowed}${given(value)}`,
    ]
  }
  const types = forms.map((form) => form['type']).filter((type) => typeof type === 'string')
  return [`${place} must be ${types.join(' or ') || `one of ${forms.length} forms`}${given(union.data)}`]
}

function describeError(error: ErrorObject, whole: string): string {
  const place = nameOf(error.instancePath, whole)
  // ajv's parameters are untyped; each keyword's own are documented.
  const params = toRecord(error.params)
  switch (error.keyword) {
    case 'required':
      return `${nameOf(`${error.instancePath}/${String(params['missingProperty'])}`, whole)} is missing`
    case 'additionalProperties': {
      const name = String(params['additionalProperty'])
      const known = Object.keys(toRecord(error.parentSchema?.['properties']))
      const near = nearestName(name, known)
      const advice = near === undefined ? `known are ${known.join(', ') || 'none'}` : `did you mean ${near}?`
      return `${nameOf(`${error.instancePath}/${name}`, whole)} is not known: ${advice}`
    }
    case 'const':
      return `${place} must be ${show(params['allowedValue'])}${given(error.data)}`
    case 'enum':
      return `${place} must be one of ${toList(params['allowedValues']).map(show).join(', ')}${given(error.data)}`
    case 'minLength':
      return params['limit'] === 1 ? `${place} must not be empty` : `${place} ${error.message}${given(error.data)}`
    default:
      return `${place} ${error.message ?? error.keyword}${given(error.data)}`
  }
}

function tagOf(form: Record<string, unknown>, name: string): unknown {
  return toRecord(toRecord(form['properties'])[name])['const']
}

/** `/backends/my~1agent/env` as `backends.my/agent.env`. */
function nameOf(pointer: string, whole: string): string {
  if (pointer === '') return whole
  const parts = pointer.slice(1).split('/')
  return parts.map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~')).join('.')
}

function given(value: unknown): string {
  return `, not ${show(value)}`
}

function show(value: unknown): string {
  return toPreview(JSON.stringify(value) ?? String(value), 80)
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
