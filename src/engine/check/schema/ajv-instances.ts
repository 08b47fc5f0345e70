// Ajv as we use it: one instance a schema, as an instance keeps every schema it has ever seen.

import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonValue } from '../../../shared/index.ts'
import type { Dialect } from './dialects.ts'

const CLASSES = { '2020-12': Ajv2020, '2019-09': Ajv2019, 'draft-07': Ajv } as const

/** JSON Schema wants patterns in Unicode mode; what only works without it is taken all the same. */
const regExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags)
    } catch {
      return new RegExp(pattern)
    }
  },
  { code: 'new RegExp' },
)

const OPTIONS: Options = {
  strict: false,
  // `required: ['toString']` means an own property: every object inherits that one.
  ownProperties: true,
  // Errors carry the value, for messages that say what was given.
  verbose: true,
  // The meta-schema is checked once, by an instance of its own.
  meta: false,
  validateSchema: false,
  logger: false,
  code: { regExp },
}

export function createAjv(dialect: Dialect, allErrors: boolean): Ajv {
  const ajv = new CLASSES[dialect]({ ...OPTIONS, allErrors })
  // Ajv throws at this keyword of an old draft; to these dialects it is unknown.
  ajv.removeKeyword('id')
  // CommonJS under Node's loader: the function is its `default` or the module itself.
  const add = typeof addFormats === 'function' ? addFormats : (addFormats as { default: typeof addFormats }).default
  add(ajv)
  return ajv
}

export function knowsFormat(ajv: Ajv, format: string): boolean {
  return Object.hasOwn(ajv.formats, format)
}

const metaInstances = new Map<Dialect, Ajv>()

/** What is wrong with a schema by the rules of its dialect; empty when nothing is. */
export function findSchemaViolations(schema: JsonValue, dialect: Dialect): ErrorObject[] {
  let ajv = metaInstances.get(dialect)
  if (ajv === undefined) {
    ajv = new CLASSES[dialect]({ strict: false, allErrors: true, verbose: true, logger: false, validateFormats: false })
    metaInstances.set(dialect, ajv)
  }
  const judge = ajv
  return judging(() => (judge.validate(META_SCHEMAS[dialect], schema) ? [] : (judge.errors ?? [])))
}

/**
 * What ajv throws while it judges is a violation too: it compares objects by calling their `valueOf` and `toString`, which in
 * JSON may be fields like any other.
 */
export function judging(judge: () => ErrorObject[]): ErrorObject[] {
  try {
    return judge()
  } catch (error) {
    const message = `can't be compared (fields named valueOf or toString?): ${error instanceof Error ? error.message : String(error)}`
    return [{ keyword: 'compare', instancePath: '', schemaPath: '#', params: {}, message }]
  }
}

const META_SCHEMAS: Readonly<Record<Dialect, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema',
}
