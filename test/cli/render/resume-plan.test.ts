import { expect, it } from 'vitest'
import { asAgentNumber, asCallPath, asRunId, type PlannedCall, type ResumePlan } from '../../../src/shared/index.ts'
import { renderResumePlan } from '../../../src/cli/render/resume-plan.ts'
import { makeStyle } from '../../../src/cli/render/style.ts'

const style = makeStyle({ colors: false, unicode: true })

function call(agent: number, more: Partial<PlannedCall>): PlannedCall {
  const place = { agent: asAgentNumber(agent), path: asCallPath(`/agent:${agent - 1}`) }
  return { ...place, label: `call ${agent}`, phase: null, group: 0, fate: 'replays', ...more }
}

const PLAN: ResumePlan = {
  resumes: asRunId('01JTESTRUN'),
  calls: [],
  replays: 2,
  runs: 0,
  depends: 0,
  firstRun: null,
  replayedOutputTokens: 1200,
  estimatedOutputTokens: 0,
  unused: 0,
  notes: [],
}

it('says that nothing runs when every call is replayed', () => {
  expect(renderResumePlan(PLAN, style).at(-1)).toBe('Run nothing: every call is replayed')
})

it('says of each call that runs why it does, and escapes what agents and scripts have written', () => {
  const calls = [
    call(1, { movedFrom: asCallPath('/agent:4') }),
    call(2, { fate: 'runs', reason: { kind: 'new' } }),
    call(3, {
      fate: 'runs',
      reason: { kind: 'unfinished', agent: asAgentNumber(7), status: 'failed', error: 'no\u001b[31m luck' },
    }),
    call(4, {
      fate: 'runs',
      reason: {
        kind: 'changed',
        agent: asAgentNumber(8),
        changes: [
          { field: 'prompt', before: 'old', after: 'new' },
          { field: 'options.model', before: null, after: '"big"' },
        ],
      },
    }),
    call(5, { fate: 'depends' }),
  ]
  const lines = renderResumePlan({ ...PLAN, calls, runs: 3, depends: 1, notes: ['a note'] }, style)
  expect(lines.slice(2)).toEqual([
    "  1 call of them in another place of the script's order",
    expect.stringMatching(/^Run 3 calls and about 1 call that depend on their answers/),
    '  2 call 2 (/agent:1): is new here',
    expect.stringMatching(/^ {2}3 call 3 \(\/agent:2\): agent 7 of the earlier run is failed: no.*luck$/),
    '  4 call 4 (/agent:3): differs from agent 8 of the earlier run',
    '    prompt',
    '      - old',
    '      + new',
    '    options.model',
    '      - (none)',
    '      + "big"',
    'note: a note',
  ])
  expect(lines.join('')).not.toContain('\u001b')
})
