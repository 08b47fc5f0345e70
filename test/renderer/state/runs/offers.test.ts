import { describe, expect, it } from 'vitest'
import { asRunId } from '../../../../src/shared/index.ts'
import { createNotices } from '../../../../src/renderer/state/notices.ts'
import { offerInterruptedRuns } from '../../../../src/renderer/state/runs/offers.ts'
import { createMemory } from '../../../../src/renderer/state/storage.ts'
import { FakeHost, runRow } from '../../../support/renderer/fake-host.ts'
import { MapStorage } from '../../../support/renderer/map-storage.ts'

const FIRST = runRow({ runId: asRunId('01FIRST'), workflow: 'review', status: 'interrupted', startedAt: 0 })
const SECOND = runRow({ runId: asRunId('01SECOND'), workflow: 'hunt', status: 'interrupted', startedAt: 0 })

async function offers(memory = createMemory(new MapStorage())) {
  const host = new FakeHost({ 'run.resumable': () => ({ runs: [FIRST, SECOND] }) })
  const notices = createNotices(() => {})
  const resumed: string[] = []
  const options = {
    client: host,
    workspace: '/workspace',
    memory,
    notices,
    resume: (runId: string) => void resumed.push(runId),
  }
  await offerInterruptedRuns(options, 3_600_000)
  return { memory, resumed, options, notices: () => notices.store.getState().notices }
}

describe('interrupted runs', () => {
  it('are offered for resuming when the window opens, each once', async () => {
    const { notices, options, resumed } = await offers()
    await offerInterruptedRuns(options)
    expect(notices().map(({ text }) => text)).toEqual([
      'review, started 1 h ago, was interrupted.',
      'hunt, started 1 h ago, was interrupted.',
    ])
    notices()[0]
      ?.actions?.find(({ label }) => label === 'Resume')
      ?.run()
    expect(resumed).toEqual([FIRST.runId])
  })

  it('are not offered again once they are discarded', async () => {
    const { memory, notices } = await offers()
    notices()[0]
      ?.actions?.find(({ label }) => label === 'Discard')
      ?.run()
    const again = await offers(memory)
    expect(again.notices().map(({ text }) => text)).toEqual(['hunt, started 1 h ago, was interrupted.'])
  })
})
