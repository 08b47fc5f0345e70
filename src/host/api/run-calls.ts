// `run.*`: starting, watching, reading and ending runs.

import { asAgentNumber, asRunId, HostError, type RunId, type RunRow } from '../../shared/index.ts'
import type { HostContext } from '../context.ts'
import { runDry } from '../dry-run/run-dry.ts'
import { planResume } from '../resume-plan/plan-resume.ts'
import { startRun } from '../runs/start-run.ts'
import { controlCalls } from './control-calls.ts'
import type { HostCallHandlers } from './handlers.ts'
import { historyCalls } from './history-calls.ts'
import { permissionCalls } from './permission-calls.ts'
import { transferCalls } from './transfer-calls.ts'

type RunCallName = Extract<keyof HostCallHandlers, `run.${string}`>

export function runCalls(context: HostContext): Pick<HostCallHandlers, RunCallName> {
  const { store, live } = context
  const requireRow = (runId: RunId): RunRow => {
    const row = store.readRow(runId)
    if (row === undefined) throw notFound(`There is no run ${runId}`)
    return row
  }
  return {
    'run.start': ({ answers, ...params }, caller) => {
      if (answers === true) caller.answerQuestions()
      return startRun(params, caller, context)
    },
    'run.dryRun': (params, caller) => runDry(params, caller, context),
    'run.resumePlan': (params, caller) => planResume(params, caller, context),
    'run.get': ({ runId }) => {
      const id = asRunId(runId)
      return { row: requireRow(id), lastSeq: store.lastSeq(id) }
    },
    'run.events': ({ runId, fromSeq, limit }) => {
      const id = asRunId(runId)
      requireRow(id)
      return { events: store.readEvents(id, fromSeq, limit), lastSeq: store.lastSeq(id) }
    },
    'run.watch': ({ runId, fromSeq, answers }, caller) => {
      const id = asRunId(runId)
      requireRow(id)
      if (answers === true) caller.answerQuestions()
      return { lastSeq: caller.watchRun(id, fromSeq) }
    },
    'run.unwatch': ({ runId }, caller) => {
      caller.unwatchRun(asRunId(runId))
      return {}
    },
    'run.result': ({ runId }) => {
      const id = asRunId(runId)
      const row = requireRow(id)
      const settled = row.endedAt !== null && live.get(id) === undefined
      return { settled, json: store.readResultJson(id) }
    },
    'run.script': ({ runId }) => {
      const script = store.readScript(asRunId(runId))
      if (script === undefined) throw notFound(`There is no run ${runId}`)
      return script
    },
    'run.call': ({ runId, agent }) => {
      const id = asRunId(runId)
      requireRow(id)
      const call = store.readCall(id, asAgentNumber(agent))
      if (call === undefined) throw notFound(`Run ${runId} has no agent ${agent}`)
      return call
    },
    ...historyCalls(context),
    ...transferCalls(context),
    ...controlCalls(context),
    ...permissionCalls(context),
  }
}

function notFound(message: string): HostError {
  return new HostError({ code: 'NOT_FOUND', message })
}
