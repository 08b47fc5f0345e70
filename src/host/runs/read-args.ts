// A script gets its args as the caller gave them. Harnesses alone often send an object as a JSON string: that is parsed
// once, and the run's record says so.

import type { ClientKind, JsonValue } from '../../shared/index.ts'

export interface ReadArgs {
  /** Absent when the caller gave none, so that the script sees `undefined`. */
  args?: JsonValue
  notices: { code: string; message: string }[]
}

export function readArgs(given: unknown, kind: ClientKind): ReadArgs {
  if (given === undefined) return { notices: [] }
  if (kind === 'harness' && typeof given === 'string') {
    const parsed = parseStructure(given)
    if (parsed !== undefined) {
      const what = Array.isArray(parsed) ? 'an array' : 'an object'
      return {
        args: parsed,
        notices: [{ code: 'args-parsed', message: `args came as a string holding JSON and were parsed to ${what}` }],
      }
    }
  }
  // Parameters come from JSON, or from our own code by the contract's types: `args` is JSON data.
  return { args: given as JsonValue, notices: [] }
}

function parseStructure(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // What JSON.parse makes is JSON data.
    return typeof value === 'object' && value !== null ? (value as JsonValue) : undefined
  } catch {
    return undefined
  }
}
