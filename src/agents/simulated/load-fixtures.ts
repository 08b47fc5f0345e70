// Reads a fixtures file and names everything that is wrong with it at once.

import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { nearestName } from '../../shared/index.ts'
import { AgentsError, messageOf, systemCode } from '../errors.ts'
import { FixturesFile, type Fixtures } from './fixtures-schema.ts'

/** Where the fixtures of a script are looked for: `review.js` has them in `review.fixtures.json` beside it. */
export function toFixturesPath(scriptPath: string): string {
  return join(dirname(scriptPath), `${basename(scriptPath).replace(/\.[cm]?[jt]s$/, '')}.fixtures.json`)
}

/** Undefined when there is no such file. Rejects with AgentsError FIXTURES_UNREADABLE or FIXTURES_INVALID. */
export async function loadFixtures(file: string): Promise<Fixtures | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw new AgentsError('FIXTURES_UNREADABLE', `The fixtures in ${file} can't be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
  return parseFixtures(text, file)
}

/** Throws AgentsError FIXTURES_INVALID; `violations` has one line for each thing that is wrong. */
export function parseFixtures(text: string, file: string): Fixtures {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw invalid(file, [messageOf(error)], error)
  }
  const check = compiled()
  if (!check(value)) throw invalid(file, describeErrors(check.errors ?? []))
  const violations = value.calls.flatMap((call, index) => checkCall(call, `/calls/${index}`))
  if (violations.length > 0) throw invalid(file, violations)
  return value
}

let validate: ValidateFunction<Fixtures> | undefined
function compiled(): ValidateFunction<Fixtures> {
  // `verbose` hands over the schema of a violation: what is allowed in its place is read from it.
  validate ??= new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile<Fixtures>(FixturesFile)
  return validate
}

function invalid(file: string, violations: string[], cause?: unknown): AgentsError {
  const list = violations.map((violation) => `\n  ${violation}`).join('')
  return new AgentsError('FIXTURES_INVALID', `The fixtures in ${file} are not valid:${list}`, { violations, cause })
}

// Ajv reports a violated union branch by branch. The branch of the value's own type tells what is wrong; without one, the
// union itself does.
function describeErrors(errors: readonly ErrorObject[]): string[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf')
  const isSaid = (error: ErrorObject): boolean =>
    unions.every((union) => {
      const branch = findBranch(union)
      if (error === union) return branch === -1
      if (!error.schemaPath.startsWith(`${union.schemaPath}/`)) return true
      return branch !== -1 && error.schemaPath.startsWith(`${union.schemaPath}/${branch}/`)
    })
  return errors.filter(isSaid).map((error) => `${error.instancePath || '/'} ${describeError(error)}`)
}

function findBranch(union: ErrorObject): number {
  const type = union.data === null ? 'null' : typeof union.data
  // What a union is made of are the schemas of this file's own format.
  const branches = union.schema as { type?: string }[]
  return branches.findIndex((branch) => branch.type === type)
}

function describeError(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty'])
    const known: unknown = error.parentSchema?.['properties']
    const near = nearestName(name, typeof known === 'object' && known !== null ? Object.keys(known) : [])
    return `has an unknown field "${name}"${near === undefined ? '' : `: did you mean "${near}"?`}`
  }
  if (error.keyword === 'anyOf') return `must be ${describeTypes(error.schema)}`
  if (error.keyword === 'enum') return `must be ${describeChoices(error.schema)}`
  return error.message ?? 'is not valid'
}

// Unions in this format are of types, choices are of words.
function describeTypes(schemas: unknown): string {
  const types = Array.isArray(schemas) ? schemas.map(({ type }: { type?: string }) => type ?? 'any value') : []
  return types.map((type) => (type === 'object' ? 'an object' : `a ${type}`)).join(' or ')
}

function describeChoices(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(' or ') : 'one of the allowed values'
}

// What the schema can't say.
function checkCall(call: Fixtures['calls'][number], at: string): string[] {
  const violations: string[] = []
  const outcomes = (['answer', 'error', 'skip'] as const).filter((name) => call[name] !== undefined)
  if (outcomes.length > 1) violations.push(`${at} has ${outcomes.join(' and ')}: give one of them`)
  for (const name of ['labelMatches', 'promptMatches'] as const) {
    const pattern = call.match?.[name]
    if (pattern === undefined) continue
    try {
      void new RegExp(pattern, 'u')
    } catch (error) {
      violations.push(`${at}/match/${name} is no regular expression: ${messageOf(error)}`)
    }
  }
  return violations
}
