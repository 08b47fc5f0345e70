import { describe, expect, test } from 'vitest'
import type { HostSession } from '../../../src/host/index.ts'
import type { AgentState, RunEvent, RunId } from '../../../src/shared/index.ts'
import { makeHost, shareHost, writeFileIn, type TestHost } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'
import { watchRun } from '../../support/host/watch-run.ts'

const FIXTURES = {
  calls: [
    {
      match: { labelMatches: '^ask' },
      permission: { title: 'Run npm test', detail: 'in the workspace' },
      answer: 'did',
    },
  ],
}

async function startAsking({ folders, session }: TestHost, name: string, body: string): Promise<RunId> {
  const { workspace } = folders
  const path = await writeFileIn(workspace, `${name}.js`, script(name, body))
  await writeFileIn(workspace, `${name}.fixtures.json`, JSON.stringify(FIXTURES))
  return (await session.call('run.start', { workspace, source: { kind: 'path', path } })).runId
}

const asker = (agents: readonly AgentState[]): AgentState | undefined => agents.find(({ permission }) => permission)

async function untilAsked(session: HostSession, runId: RunId) {
  const run = await watchRun(session, runId)
  const { agents } = await run.until((state) => asker(state.agents) !== undefined)
  const { agent, permission } = asker(agents) ?? expect.unreachable('an agent asks')
  return { run, agent, permission, request: permission?.request ?? '' }
}

const answersIn = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'permission-answered' ? [[event.agent, event.answer, event.by]] : []))

describe('what an agent of a watched run asks leave for', () => {
  const shared = shareHost()

  test('is seen by whoever watches, and goes on with their answer', async () => {
    const made = shared()
    const runId = await startAsking(made, 'allowed', `return await agent('x', { label: 'ask' })`)
    const { run, agent, permission, request } = await untilAsked(made.session, runId)
    expect(permission).toEqual({
      request,
      title: 'Run npm test',
      detail: 'in the workspace',
      options: ['allow-once', 'allow-run', 'reject'],
    })
    expect(await made.session.call('run.answerPermission', { runId, agent, request, answer: 'allow-once' })).toEqual({})
    expect((await run.ended).degraded).toBe(false)
    expect(answersIn(run.events)).toEqual([[1, 'allow-once', 'user']])
    expect((await made.session.call('run.result', { runId })).json).toBe('"did"')
  })

  test('is refused by a no, and once allowed for the run not asked again', async () => {
    const made = shared()
    const body = `return [await agent('x', { label: 'ask 1' }), await agent('y', { label: 'ask 2' }), await agent('z', { label: 'ask 3' })]`
    const runId = await startAsking(made, 'for-all', body)
    const first = await untilAsked(made.session, runId)
    await made.session.call('run.answerPermission', {
      runId,
      agent: first.agent,
      request: first.request,
      answer: 'reject',
    })
    const { agents } = await first.run.until((state) => (asker(state.agents)?.agent ?? 1) > 1)
    const request = asker(agents)?.permission?.request ?? ''
    await made.session.call('run.answerPermission', { runId, agent: 2, request, answer: 'allow-run' })
    const state = await first.run.ended
    expect(state.agents[0]?.error).toEqual({ message: 'Permission was refused: Run npm test', failure: 'refused' })
    expect(answersIn(first.run.events)).toEqual([
      [1, 'reject', 'user'],
      [2, 'allow-run', 'user'],
      [3, 'allow-run', 'policy'],
    ])
    expect((await made.session.call('run.result', { runId })).json).toBe('[null,"did","did"]')
  })

  test('is asked of a terminal that says that somebody answers there, and refused where none does', async () => {
    const { host, folders } = await makeHost({ identity: { kind: 'cli' } })
    const { workspace } = folders
    const path = await writeFileIn(workspace, 'typed.js', script('typed', `return await agent('x', { label: 'ask' })`))
    await writeFileIn(workspace, 'typed.fixtures.json', JSON.stringify(FIXTURES))
    const source = { kind: 'path' as const, path }
    const terminal = host.openSession({ kind: 'cli', workspace })
    const { runId } = await terminal.call('run.start', { workspace, source, answers: true })
    const { run, agent, request } = await untilAsked(terminal, runId)
    await terminal.call('run.answerPermission', { runId, agent, request, answer: 'allow-run' })
    await run.ended
    expect(answersIn(run.events)).toEqual([[1, 'allow-run', 'user']])
    run.stop()
    terminal.close()
    const piped = host.openSession({ kind: 'cli', workspace })
    const other = await piped.call('run.start', { workspace, source })
    const refused = await watchRun(piped, other.runId)
    await refused.ended
    expect(answersIn(refused.events)).toEqual([[1, 'reject', 'policy']])
    refused.stop()
  })

  test('can be answered once, in a run that there is, and by no harness', async () => {
    const made = shared()
    const runId = await startAsking(made, 'guarded', `return await agent('x', { label: 'ask' })`)
    const { run, agent, request } = await untilAsked(made.session, runId)
    const harness = made.host.openSession({ kind: 'harness', workspace: made.folders.workspace })
    const answer = { runId, agent, request, answer: 'allow-once' as const }
    await expect(harness.call('run.answerPermission', answer)).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    harness.close()
    const wrong = made.session.call('run.answerPermission', { ...answer, request: 'another' })
    await expect(wrong).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('"another"') })
    const unknown = made.session.call('run.answerPermission', { ...answer, runId: 'NONE' })
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await made.session.call('run.answerPermission', answer)
    await expect(made.session.call('run.answerPermission', answer)).rejects.toMatchObject({ code: 'CONFLICT' })
    await run.ended
    await expect(made.session.call('run.answerPermission', answer)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('is cancelled with the run', async () => {
    const made = shared()
    const runId = await startAsking(made, 'cancelled', `return await agent('x', { label: 'ask' })`)
    const { run } = await untilAsked(made.session, runId)
    await made.session.call('run.cancel', { runId })
    expect((await run.ended).status).toBe('cancelled')
    expect(answersIn(run.events)).toEqual([[1, 'reject', 'cancelled']])
  })
})

test('what an agent asks leave for where only a terminal looks on is refused at once, with a warning that says why', async () => {
  const made = await makeHost({ identity: { kind: 'cli' } })
  const runId = await startAsking(made, 'headless', `return await agent('x', { label: 'ask' })`)
  const run = await watchRun(made.session, runId)
  const state = await run.ended
  expect(state).toMatchObject({
    status: 'completed',
    degraded: true,
    agents: [{ error: { failure: 'refused' } }],
    warnings: [
      {
        code: 'permission/policy',
        agent: 1,
        message:
          'agent 1 was refused "Run npm test": no window and no browser watches this run, so there is nobody to ask',
      },
    ],
  })
  expect(answersIn(run.events)).toEqual([[1, 'reject', 'policy']])
  const asked = run.events.find(({ type }) => type === 'permission-asked')
  const answered = run.events.find(({ type }) => type === 'permission-answered')
  expect((answered?.at ?? 0) - (asked?.at ?? 0)).toBeLessThan(5000)
})

test('a browser that leaves while it is asked leaves the question to another one', async () => {
  const made = await makeHost({ identity: { kind: 'cli' } })
  const open = () => made.host.openSession({ kind: 'browser', workspace: made.folders.workspace })
  const first = open()
  const runId = await startAsking(made, 'handed-on', `return await agent('x', { label: 'ask' })`)
  const { agent, request } = await untilAsked(first, runId)
  first.close()
  const second = open()
  const again = await watchRun(second, runId)
  await second.call('run.answerPermission', { runId, agent, request, answer: 'allow-once' })
  await again.ended
  expect(answersIn(again.events)).toEqual([[1, 'allow-once', 'user']])
})
