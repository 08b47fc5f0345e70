// Steering runs that are live: cancel, pause, continue, and what may be done about one agent.

import {
  asAgentNumber,
  asRunId,
  HostError,
  type AgentNumber,
  type AgentState,
  type RunId,
  type RunState,
} from '../../shared/index.ts'
import type { AgentAction, RunHandle } from '../../engine/index.ts'
import type { HostContext } from '../context.ts'
import type { HostCallHandlers } from './handlers.ts'

type ControlCallName = 'run.cancel' | 'run.pause' | 'run.continue' | 'run.agent'

export function controlCalls(context: HostContext): Pick<HostCallHandlers, ControlCallName> {
  const { store, live } = context
  const requireLive = (runId: RunId): RunHandle => {
    const handle = live.get(runId)
    if (handle !== undefined) return handle
    const row = store.readRow(runId)
    if (row === undefined) throw new HostError({ code: 'NOT_FOUND', message: `There is no run ${runId}` })
    throw conflict(`Run ${runId} has ended already: ${row.status}`)
  }
  return {
    'run.cancel': ({ runId, reason }) => {
      requireLive(asRunId(runId)).cancel(reason)
      return {}
    },
    'run.pause': async ({ runId, reason }) => {
      const handle = requireLive(asRunId(runId))
      handle.pause(reason)
      await store.events.flush(handle.id)
      return {}
    },
    'run.continue': async ({ runId }) => {
      const handle = requireLive(asRunId(runId))
      // What was done to it a moment ago may not be in its row yet.
      await store.events.flush(handle.id)
      const status = store.readRow(handle.id)?.status
      if (status !== 'paused') throw conflict(`Run ${runId} is not paused: ${status ?? 'it has just started'}`)
      handle.continue()
      await store.events.flush(handle.id)
      return {}
    },
    'run.agent': async ({ runId, agent, action }) => {
      const handle = requireLive(asRunId(runId))
      await store.events.flush(handle.id)
      act(handle, asAgentNumber(agent), action, live.stateOf(handle.id))
      return {}
    },
  }
}

/** `run` is what is stored of it. */
function act(handle: RunHandle, agent: AgentNumber, action: AgentAction, run: RunState | undefined): void {
  const state = run?.agents[agent - 1]
  if (action === 'retry' && run?.status === 'paused' && state !== undefined && waitsForNextAttempt(state))
    throw conflict(`Agent ${agent} of run ${handle.id} is started again when the paused run is continued`)
  if (action === 'retry' && state?.status === 'queued' && state.attempt === 0)
    throw conflict(`Agent ${agent} of run ${handle.id} has not begun yet, so there is no attempt to start again`)
  if (handle.act(agent, action)) return
  if (state === undefined)
    throw new HostError({ code: 'NOT_FOUND', message: `Run ${handle.id} has called no agent ${agent} so far` })
  throw conflict(`Agent ${agent} of run ${handle.id} has ended already: ${state.status}`)
}

function waitsForNextAttempt({ status, attempt, failedAttempts }: AgentState): boolean {
  return status === 'running' && failedAttempts.at(-1)?.attempt === attempt
}

function conflict(message: string): HostError {
  return new HostError({ code: 'CONFLICT', message })
}
