// Every lint there is. To add one: a function here, its codes in its own file, its test beside the others.

import { lintAgentOptions } from './agent-options.ts'
import { lintUnawaited } from './awaits.ts'
import { lintCombinators } from './combinators.ts'
import type { Lint } from './context.ts'
import { lintClockAndRandomness, lintUnknownNames } from './determinism.ts'
import { lintPhases } from './phases.ts'
import { lintSchemas } from './schemas.ts'
import { lintEval, lintTemplateTags } from './strings.ts'
import { lintWorkflowNames } from './workflows.ts'

export const ALL_LINTS: readonly Lint[] = [
  lintAgentOptions,
  lintCombinators,
  lintClockAndRandomness,
  lintUnknownNames,
  lintPhases,
  lintUnawaited,
  lintSchemas,
  lintWorkflowNames,
  lintTemplateTags,
  lintEval,
]
