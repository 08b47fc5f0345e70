// Who started a run, where it is worth saying.

import type { RunStarter } from '../../../shared/index.ts'

/** Undefined for the user at this window: that goes without saying. */
export function starterOf({ kind, name }: RunStarter): string | undefined {
  if (kind === 'window' || kind === 'browser') return undefined
  return `by ${name ?? (kind === 'cli' ? 'command line' : kind)}`
}
