// Parameters are judged at the door, by the schemas that also give their types: every violation is named at once.

import { HostError, nearestName, type HostCallName } from '../../shared/index.ts'
import { callSchemas } from '../../shared/contract/call-schemas.ts'
import { compileCheck } from '../lib/violations.ts'

const checks = new Map<HostCallName, (value: unknown) => string[]>()

/** The name, if it is one of HostApi's calls. Throws BAD_REQUEST with the nearest name. */
export function checkCallName(name: string): HostCallName {
  if (Object.hasOwn(callSchemas, name)) {
    // hasOwn has just said that it is a key of the schemas.
    return name as HostCallName
  }
  const near = nearestName(name, Object.keys(callSchemas))
  throw new HostError({
    code: 'BAD_REQUEST',
    message: `There is no call "${name}"${near === undefined ? '' : `: did you mean "${near}"?`}`,
  })
}

/** Throws BAD_REQUEST with every violation of the call's schema. */
export function checkParams(name: HostCallName, params: unknown): void {
  let check = checks.get(name)
  if (check === undefined) {
    check = compileCheck(callSchemas[name], 'the parameters')
    checks.set(name, check)
  }
  const violations = check(params)
  if (violations.length > 0)
    throw new HostError({ code: 'BAD_REQUEST', message: `${name}: ${violations.join('; ')}`, violations })
}
