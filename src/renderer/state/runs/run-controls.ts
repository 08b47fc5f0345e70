// What may be done with a run or an agent right now, and if not, why not: one rule for buttons, menus and shortcuts.

import type { AgentState, AgentStatus } from '../../../shared/index.ts'
import { isLiveStatus, viewStatus, type RunView } from './run-view.ts'

/** Null: it can be done. Otherwise the reason in words, shown where the button is. */
export type Refusal = string | null

export type RunAction = 'pause' | 'continue' | 'cancel' | 'resume'
export type AgentAction = 'skip' | 'retry' | 'stop'

type Viewed = Pick<RunView, 'state' | 'row' | 'plan'>

export function refuseRunAction(view: Viewed, action: RunAction): Refusal {
  const status = viewStatus(view)
  const live = isLiveStatus(status)
  if (action === 'resume') {
    if (view.plan !== null) return 'A dry run keeps nothing that could be resumed.'
    return live ? 'The run is still going: pause and continue it instead.' : null
  }
  if (!live) return 'The run has ended.'
  if (action === 'pause') return status === 'paused' ? 'The run is paused already.' : null
  if (action === 'continue') return status === 'paused' ? null : 'The run is not paused.'
  return null
}

/** Ended so that a resume gains something: failed, cancelled, interrupted, or completed with failures. */
export function wantsResume(view: Viewed): boolean {
  const status = viewStatus(view)
  if (view.plan !== null || isLiveStatus(status)) return false
  return status !== 'completed' || view.state.degraded
}

type Agent = Pick<AgentState, 'status' | 'attempt' | 'failedAttempts'>

/** `view` is that of the agent's run. */
export function refuseAgentAction(view: Viewed, agent: Agent, action: AgentAction): Refusal {
  const status = viewStatus(view)
  if (!isLiveStatus(status)) return 'The run has ended.'
  if (!isOpenAgent(agent.status)) return `The agent has ended already: ${agent.status}.`
  if (action !== 'retry') return null
  if (agent.status === 'queued') return 'The agent has not begun yet: there is no attempt to start again.'
  if (status === 'paused' && agent.failedAttempts.at(-1)?.attempt === agent.attempt) {
    return 'The agent is started again when the paused run is continued.'
  }
  return null
}

function isOpenAgent(status: AgentStatus): boolean {
  return status === 'queued' || status === 'running'
}
