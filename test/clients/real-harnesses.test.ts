// Real harnesses as MCP clients: configured by `weft connect`, steered by a model that is none, from their start to the
// record of the run.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '../support/host/wait-until.ts'
import { makeHarnessWorld, type HarnessWorld } from '../support/clients/harness-world.ts'

const source = (name: string, body: string): string =>
  `export const meta = { name: '${name}', description: 'Of a test' }\n${body}`
const call = (tools: string, ...inputs: object[]): string =>
  `CALL ${tools} ${inputs.map((input) => JSON.stringify(input)).join('>>')}`

describe.each(['opencode', 'codex'])('%s', (harness) => {
  let world: HarnessWorld
  beforeAll(async () => {
    world = await makeHarnessWorld(harness)
  })
  afterAll(() => world.dispose())

  const runOf = (name: string) => world.runs().find(({ workflow }) => workflow === name)
  const ofHarness = { kind: 'harness', name: expect.stringContaining(harness) }

  it('finds the tool, starts a run, awaits it and shows its model the result', async () => {
    const script = source('front', `phase('Ask')\nreturn { said: await agent('hi') }`)
    const { code, out } = await world.start(call('workflow', { script })).ended
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('TOOL-RESULT') })
    // Codex shows its model the structured content, opencode the text.
    const shown = out.slice(out.indexOf('TOOL-RESULT'))
    expect(shown).toMatch(
      harness === 'codex' ? /agentsStarted\W+1\W+result\W+said\W+hi!/ : /front\W+completed \(1 agent\)/,
    )
    expect(shown).toContain('hi!')
    expect(runOf('front')).toMatchObject({ status: 'completed', startedBy: ofHarness, calls: { completed: 1 } })
  })

  it('starts one in the background, waits for it by its id, and reads its result', async () => {
    const script = source('back', `return { said: await agent('later') }`)
    const inputs = [{ script, background: true }, { runId: '$runId', seconds: 20 }, { runId: '$runId' }]
    const { code, out } = await world.start(call('workflow>>workflow_wait>>workflow_result', ...inputs)).ended
    expect(code).toBe(0)
    expect(out).toContain('later!')
    expect(runOf('back')).toMatchObject({ status: 'completed', startedBy: ofHarness })
  })

  it('cancels a run', async () => {
    const script = source('cancelled', `return await agent('for ever')`)
    const inputs = [
      { script, background: true, backend: 'hang' },
      { runId: '$runId', reason: 'not needed' },
    ]
    const { code, out } = await world.start(call('workflow>>workflow_cancel', ...inputs)).ended
    expect(code).toBe(0)
    expect(out).toContain('not needed')
    expect(runOf('cancelled')).toMatchObject({ status: 'cancelled', startedBy: ofHarness })
  })

  it('is told of every mistake of a script, and nothing is started', async () => {
    const script = source('wrong', `import x from 'y'`)
    const { out } = await world.start(call('workflow', { script })).ended
    expect(out).toContain('scripts load no modules')
    expect(runOf('wrong')).toBeUndefined()
  })

  it('that is killed leaves its run going, which the user can cancel', async () => {
    const script = source('orphan', `return await agent('for ever')`)
    const turn = world.start(call('workflow', { script, backend: 'hang' }))
    // Opencode takes ten seconds to its first turn, more beside others. `weft runs` is not asked meanwhile: where no host
    // is there yet it would be the host, and wait for the run.
    await waitUntil('its agent works', () => world.isHanging(), 60_000)
    const run = runOf('orphan')
    turn.kill()
    await turn.ended
    expect(runOf('orphan')).toMatchObject({ status: 'running' })
    world.weft('cancel', run?.runId ?? expect.unreachable('it has begun'))
    expect(runOf('orphan')).toMatchObject({ status: 'cancelled' })
  })
})
