// The JSON files that stand beside a script: what its simulated agents answer, and what its args have to look like.

import { basename, dirname, join } from 'node:path'
import { SCRIPT_ENDING, stemOf } from './folders.ts'

export const FIXTURES_ENDING = '.fixtures.json'
export const ARGS_SCHEMA_ENDING = '.args.schema.json'

const ENDINGS = [FIXTURES_ENDING, ARGS_SCHEMA_ENDING]

/** Where the companions of a script are, whether or not they exist; none for what is no script. */
export function companionsOf(scriptPath: string): string[] {
  if (!SCRIPT_ENDING.test(scriptPath)) return []
  return ENDINGS.map((ending) => join(dirname(scriptPath), stemOf(basename(scriptPath)) + ending))
}
