// Args are judged by the schema beside the script before anything is written or started: an agent that was paid for a wrong
// value is worse than a refusal that names the field.

import { HostError, type JsonValue } from '../../shared/index.ts'
import type { Engine } from '../../engine/index.ts'
import { readArgsSchema } from '../workspace/catalog.ts'

type Judge = Pick<Engine, 'findViolations'>

/** What leaving the args out may stand for. */
const NOTHING: readonly JsonValue[] = [{}, null]

/**
 * Rejects with BAD_REQUEST; each of its violations begins with a JSON pointer into the args, or with `args` for the whole.
 * `undefined` is right where an empty object, or null, would be: the script sees `undefined` all the same.
 */
export async function checkArgs(
  args: JsonValue | undefined,
  scriptPath: string | null | undefined,
  engine: Judge,
): Promise<void> {
  if (scriptPath == null) return
  const schema = await readArgsSchema(scriptPath)
  if (schema === null) return
  const [found, ...others] = await Promise.all(
    (args === undefined ? NOTHING : [args]).map((value) => engine.findViolations(schema, value)),
  )
  if (found === undefined || found.length === 0 || others.some(({ length }) => length === 0)) return
  const violations = found.map((violation) => violation.replace(/^the answer /, 'args '))
  throw new HostError({
    code: 'BAD_REQUEST',
    message:
      args === undefined
        ? `The workflow takes args, and none were given: ${violations[0]}`
        : `The args are not what the workflow takes: ${violations[0]}`,
    violations,
  })
}
