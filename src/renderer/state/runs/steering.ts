// Stepping into a live run. Every step says what it did, or why it did not happen.

import { plural, type AgentState, type HostClient, type RunId, type RunState } from '../../../shared/index.ts'
import { messageOf } from '../message-of.ts'
import type { Notices } from '../notices.ts'
import type { AgentAction } from './run-controls.ts'

const DONE: Record<AgentAction, (label: string) => string> = {
  skip: (label) => `Skipped “${label}”: the script gets null for it.`,
  retry: (label) => `“${label}” starts again with a new attempt.`,
  stop: (label) => `Stopped “${label}”: the script gets null for it.`,
}

const NOT_DONE: Record<AgentAction, string> = { skip: 'skipped', retry: 'started again', stop: 'stopped' }

export function createSteering(client: HostClient, notices: Pick<Notices, 'info' | 'error'>) {
  const tell = async (what: string, failed: string, act: () => Promise<unknown>): Promise<void> => {
    try {
      await act()
      notices.info(what)
    } catch (error) {
      notices.error(`${failed}: ${messageOf(error)}`)
    }
  }
  return {
    pause: (runId: RunId, { running, queued }: Pick<RunState, 'running' | 'queued'>) =>
      tell(
        `Paused. ${running === 0 ? 'No agent is running' : `${plural(running, 'running agent')} will finish`}, ${queued} queued will wait.`,
        'The run was not paused',
        () => client.call('run.pause', { runId, reason: 'paused by the user' }),
      ),
    continue: (runId: RunId) =>
      tell('Continued: queued agents start again.', 'The run was not continued', () =>
        client.call('run.continue', { runId }),
      ),
    cancel: (runId: RunId) =>
      tell('Cancelled. What had finished is kept: the run can be resumed.', 'The run was not cancelled', () =>
        client.call('run.cancel', { runId, reason: 'cancelled by the user' }),
      ),
    agent: (runId: RunId, { agent, label }: Pick<AgentState, 'agent' | 'label'>, action: AgentAction) =>
      tell(DONE[action](label), `“${label}” was not ${NOT_DONE[action]}`, () =>
        client.call('run.agent', { runId, agent, action }),
      ),
  }
}

export type Steering = ReturnType<typeof createSteering>
