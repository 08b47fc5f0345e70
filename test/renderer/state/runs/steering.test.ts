import { describe, expect, it } from 'vitest'
import { asAgentNumber, HostError } from '../../../../src/shared/index.ts'
import { createSteering } from '../../../../src/renderer/state/runs/steering.ts'
import { FakeHost } from '../../../support/renderer/fake-host.ts'
import { RUN_ID } from '../../../support/shared/events.ts'

function steeringOn(handlers: FakeHost['handlers']) {
  const host = new FakeHost(handlers)
  const said: string[] = []
  const steering = createSteering(host, {
    info: (text) => void said.push(`info: ${text}`),
    error: (text) => void said.push(`error: ${text}`),
  })
  return { steering, host, said }
}

describe('stepping into a run', () => {
  it('says what a pause leaves running and what waits', async () => {
    const { steering, said } = steeringOn({ 'run.pause': () => ({}) })
    await steering.pause(RUN_ID, { running: 2, queued: 5 })
    expect(said).toEqual(['info: Paused. 2 running agents will finish, 5 queued will wait.'])
  })

  it('says what became of the agent that was meant', async () => {
    const { steering, host, said } = steeringOn({ 'run.agent': () => ({}) })
    const agent = { agent: asAgentNumber(3), label: 'look left' }
    await steering.agent(RUN_ID, agent, 'skip')
    await steering.agent(RUN_ID, agent, 'retry')
    expect(host.callsOf('run.agent')).toEqual([
      { runId: RUN_ID, agent: 3, action: 'skip' },
      { runId: RUN_ID, agent: 3, action: 'retry' },
    ])
    expect(said).toEqual([
      'info: Skipped “look left”: the script gets null for it.',
      'info: “look left” starts again with a new attempt.',
    ])
  })

  it('says why nothing happened', async () => {
    const { steering, said } = steeringOn({
      'run.continue': () => Promise.reject(new HostError({ code: 'CONFLICT', message: 'it is not paused' })),
    })
    await steering.continue(RUN_ID)
    expect(said).toEqual(['error: The run was not continued: it is not paused'])
  })
})
