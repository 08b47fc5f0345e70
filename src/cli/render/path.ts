// Paths as people write them.

import { isAbsolute, relative } from 'node:path'

/** From the folder they stand in when it is below. */
export function shortenPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short
}
