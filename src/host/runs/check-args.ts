// Args are judged by the schema beside the script before anything is written or started: an agent that was paid for a wrong
// value is worse than a refusal that names the field.

import { HostError, type JsonValue } from '../../shared/index.ts'
import type { Engine } from '../../engine/index.ts'
import { readArgsSchema } from '../workspace/catalog.ts'

/** Rejects with BAD_REQUEST; each of its violations begins with a JSON pointer into the args, or with `args` for the whole. */
export async function checkArgs(
  args: JsonValue,
  scriptPath: string | null | undefined,
  engine: Pick<Engine, 'findViolations'>,
): Promise<void> {
  if (scriptPath == null) return
  const schema = await readArgsSchema(scriptPath)
  if (schema === null) return
  const found = await engine.findViolations(schema, args)
  if (found.length === 0) return
  const violations = found.map((violation) => violation.replace(/^the answer /, 'args '))
  throw new HostError({
    code: 'BAD_REQUEST',
    message: `The args are not what the workflow takes: ${violations[0]}`,
    violations,
  })
}
