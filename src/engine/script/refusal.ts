// Which findings keep a script from running.

import type { Diagnostic } from '../../shared/index.ts'

/** Errors other than lints: a lint may say that a run will fail; it is run all the same. */
export function isRefusal(diagnostic: Pick<Diagnostic, 'severity' | 'code'>): boolean {
  return diagnostic.severity === 'error' && !diagnostic.code.startsWith('lint/')
}
