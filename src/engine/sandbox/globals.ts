// The names a script finds without declaring them, beside JavaScript's own: the hooks, `args`, `budget`, `console`.

import { makeAgent } from '../hooks/agent.ts'
import { makeBudget } from '../hooks/budget.ts'
import { makeConsole } from '../hooks/console.ts'
import { makeLog } from '../hooks/log.ts'
import { makeParallel } from '../hooks/parallel.ts'
import { makePhase } from '../hooks/phase.ts'
import { makePipeline } from '../hooks/pipeline.ts'
import { makeWorkflow } from '../hooks/workflow.ts'
import type { HookName } from '../script/known-names.ts'
import type { Guest } from './guest.ts'
import type { MaybeJson } from './protocol.ts'

/** One set for each script of a run: `args` differs. Everything is hardened. */
export function makeGlobals(guest: Guest, args: MaybeJson): Record<HookName, unknown> {
  return guest.realm.harden({
    agent: makeAgent(guest),
    parallel: makeParallel(guest),
    pipeline: makePipeline(guest),
    phase: makePhase(guest),
    log: makeLog(guest),
    workflow: makeWorkflow(guest),
    budget: makeBudget(guest),
    console: makeConsole(guest),
    args: args.value,
  })
}
