import { describe, expect, it } from 'vitest'
import { EMPTY_RUN, foldRunAll } from '../../../../src/shared/index.ts'
import {
  refuseAgentAction,
  refuseRunAction,
  wantsResume,
  type AgentAction,
} from '../../../../src/renderer/state/runs/run-controls.ts'
import { runRow } from '../../../support/renderer/fake-host.ts'
import { RunStory } from '../../../support/renderer/sample-run.ts'

function viewOf(tell: (story: RunStory) => void, row = runRow()) {
  const story = new RunStory(0)
  tell(story)
  return { state: foldRunAll(EMPTY_RUN, story.events), row, plan: null }
}

const paused = (story: RunStory): void => void story.at(5, 'run-paused', { by: 'user', reason: 'a look' })
const ended = (story: RunStory): void =>
  void story.at(9, 'run-ended', { outcome: 'completed', degraded: false, durationMs: 9 })

describe('what may be done with a run', () => {
  it('is pausing while it runs and continuing while it is paused', () => {
    const running = viewOf(() => {})
    expect(refuseRunAction(running, 'pause')).toBeNull()
    expect(refuseRunAction(running, 'continue')).toBe('The run is not paused.')
    expect(refuseRunAction(viewOf(paused), 'pause')).toBe('The run is paused already.')
    expect(refuseRunAction(viewOf(paused), 'continue')).toBeNull()
  })

  it('is nothing but a resume once it has ended', () => {
    const over = viewOf(ended)
    expect(['pause', 'continue', 'cancel'].map((action) => refuseRunAction(over, action as 'pause'))).toEqual([
      'The run has ended.',
      'The run has ended.',
      'The run has ended.',
    ])
    expect(refuseRunAction(over, 'resume')).toBeNull()
    expect(
      refuseRunAction(
        viewOf(() => {}),
        'resume',
      ),
    ).toContain('still going')
  })

  it('offers a resume for what was cut off, not for what completed cleanly', () => {
    expect(wantsResume(viewOf(ended))).toBe(false)
    expect(wantsResume(viewOf(() => {}, runRow({ status: 'interrupted' })))).toBe(true)
    expect(wantsResume(viewOf(() => {}))).toBe(false)
  })
})

describe('what may be done with an agent', () => {
  const refusals = (view: ReturnType<typeof viewOf>) => {
    const agent = view.state.agents[0]
    if (agent === undefined) throw new Error('no agent')
    const actions: AgentAction[] = ['skip', 'retry', 'stop']
    return actions.map((action) => refuseAgentAction(view, agent, action))
  }

  it('is all while it runs, and no retry before it has begun', () => {
    expect(refusals(viewOf((story) => story.start(2, story.queue(1, 'one', null))))).toEqual([null, null, null])
    expect(refusals(viewOf((story) => story.queue(1, 'one', null)))).toEqual([
      null,
      'The agent has not begun yet: there is no attempt to start again.',
      null,
    ])
  })

  it('is nothing once it or its run has ended', () => {
    const skipped = refusals(viewOf((story) => story.end(2, story.queue(1, 'one', null), 'skipped')))
    expect(skipped).toEqual(Array(3).fill('The agent has ended already: skipped.'))
  })

  it('is no retry while a paused run holds its next attempt back', () => {
    const view = viewOf((story) => {
      const agent = story.queue(1, 'one', null)
      story.start(2, agent)
      story.at(3, 'agent-attempt-failed', { agent: agent as never, attempt: 1, failure: 'quota', error: 'used up' })
      paused(story)
    })
    expect(refusals(view)[1]).toBe('The agent is started again when the paused run is continued.')
  })
})
