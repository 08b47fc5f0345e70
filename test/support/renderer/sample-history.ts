// What the host in memory has of earlier runs: an interrupted one, a finished one, and answers about them.

import {
  asAgentNumber,
  asCallPath,
  asRunId,
  asScriptHash,
  type ComparedCall,
  type ResumePlan,
  type RunComparison,
  type RunEvent,
  type RunRow,
} from '../../../src/shared/index.ts'
import { runRow, type FakeHost } from './fake-host.ts'
import { liveReview, type RunStory } from './sample-run.ts'

export const INTERRUPTED_RUN = asRunId('01INTERRUPTED00000000000000')
export const FINISHED_RUN = asRunId('01FINISHED0000000000000000')

export interface SampleHistory {
  rows: RunRow[]
  events: Record<string, RunEvent[]>
  handlers: FakeHost['handlers']
}

export function sampleHistory(now: number): SampleHistory {
  const interrupted = liveReview(now - 7_300_000, INTERRUPTED_RUN)
  const finished = finishedReview(now - 90_000_000)
  const rows = [
    runRow({
      runId: INTERRUPTED_RUN,
      workflow: 'review-changes',
      status: 'interrupted',
      startedAt: now - 7_300_000,
      endedAt: now - 7_280_000,
      calls: { completed: 1, failed: 1, skipped: 1, cancelled: 4, replayed: 1, refused: 0 },
    }),
    runRow({
      runId: FINISHED_RUN,
      workflow: 'review-changes',
      status: 'completed',
      startedAt: now - 90_000_000,
      endedAt: now - 89_980_000,
      calls: { completed: 7, failed: 0, skipped: 1, cancelled: 0, replayed: 0, refused: 0 },
    }),
  ]
  return {
    rows,
    events: { [INTERRUPTED_RUN]: interrupted.events, [FINISHED_RUN]: finished.events },
    handlers: {
      // A test that wants the offer puts it here: it would stand in the way of the others.
      'run.resumable': () => ({ runs: [] }),
      'run.resumePlan': ({ args }) => resumePlan(args !== undefined),
      'run.search': ({ text }) => ({
        hits: [
          {
            runId: FINISHED_RUN,
            kind: 'result',
            agent: asAgentNumber(2),
            seq: null,
            snippet: `the ${text} is read before it is checked`,
            row: rows[1] ?? runRow(),
          },
          {
            runId: FINISHED_RUN,
            kind: 'log',
            agent: null,
            seq: 5,
            snippet: `5 files changed: ${text}`,
            row: rows[1] ?? runRow(),
          },
        ],
      }),
      'run.compare': () => comparison(rows[1] ?? runRow(), rows[0] ?? runRow()),
      'run.export': ({ format, cursor }) =>
        cursor === undefined
          ? { fileName: `review-changes.${format}`, text: 'first line\n', cursor: 'next' }
          : { fileName: `review-changes.${format}`, text: 'second line\n', cursor: null },
      'run.import': ({ last }) => ({
        importId: 'import-1',
        runId: last ? FINISHED_RUN : null,
        renamed: false,
        known: false,
      }),
      'run.pause': () => ({}),
      'run.continue': () => ({}),
      'run.agent': () => ({}),
    },
  }
}

function finishedReview(start: number): RunStory {
  const story = liveReview(start, FINISHED_RUN)
  for (const agent of [4, 6, 7]) story.end(16_000 + agent * 300, agent, 'completed', { usage: { outputTokens: 400 } })
  story.start(18_200, 8).end(19_000, 8, 'completed', { usage: { outputTokens: 90 } })
  story.at(19_100, 'workflow-ended', { group: 1, outcome: 'completed' })
  story.at(19_200, 'phase-started', { title: 'Report', group: 0 })
  return story.at(20_000, 'run-ended', { outcome: 'completed', degraded: true, durationMs: 20_000 })
}

function resumePlan(otherArgs: boolean): ResumePlan {
  const call = (agent: number, label: string, more: Partial<ResumePlan['calls'][number]>) => ({
    agent: asAgentNumber(agent),
    path: asCallPath(`/agent:${agent - 1}`),
    label,
    phase: 'Review',
    group: 0,
    fate: 'replays' as const,
    ...more,
  })
  const changed = {
    kind: 'changed' as const,
    agent: asAgentNumber(2),
    changes: [
      { field: 'prompt', before: '…correctness and security.', after: '…correctness, security and style.' },
      { field: 'options.model', before: 'gpt-5-mini', after: null },
    ],
  }
  const unfinished = {
    kind: 'unfinished' as const,
    agent: asAgentNumber(3),
    status: 'failed' as const,
    error: 'exit code 1: model not found',
  }
  const calls = [
    call(1, 'list changed files', {}),
    otherArgs
      ? call(2, 'review src/auth/session.ts', { fate: 'runs', reason: changed })
      : call(2, 'review src/auth/session.ts', {}),
    call(3, 'review src/auth/token.ts', { fate: 'runs', reason: unfinished }),
    call(4, 'review src/http/router.ts', { fate: 'runs', reason: { kind: 'new' } }),
    call(5, 'refute: session id survives log-in', { fate: 'depends' }),
  ]
  const count = (fate: string): number => calls.filter((one) => one.fate === fate).length
  return {
    resumes: INTERRUPTED_RUN,
    calls,
    replays: count('replays'),
    runs: count('runs'),
    depends: count('depends'),
    firstRun: asAgentNumber(otherArgs ? 2 : 3),
    replayedOutputTokens: otherArgs ? 310 : 1550,
    estimatedOutputTokens: 2400,
    unused: otherArgs ? 1 : 0,
    notes: ['review src/http/cors.ts was skipped by the user and is asked again.'],
  }
}

function comparison(a: RunRow, b: RunRow): RunComparison {
  const call = (n: number, label: string, more: Partial<ComparedCall>): ComparedCall => ({
    path: asCallPath(`/agent:${n - 1}`),
    label,
    phase: 'Review',
    a: asAgentNumber(n),
    b: asAgentNumber(n),
    fate: 'same',
    changes: [],
    status: { a: 'completed', b: 'completed' },
    durationMs: { a: 7000, b: 6400 },
    outputTokens: { a: 1240, b: 1240 },
    ...more,
  })
  const totals = { durationMs: 20_000, outputTokens: 3100, costUsd: 0.04, unpricedAgents: 0, agents: 8, calls: a.calls }
  return {
    a,
    b,
    script: { same: false, a: asScriptHash('a'.repeat(64)), b: asScriptHash('b'.repeat(64)) },
    inputs: [{ field: 'args', before: '{"base":"main"}', after: '{"base":"HEAD~1"}' }],
    result: {
      same: false,
      changes: [{ pointer: '/findings/0/title', before: '"Session id survives log-in"', after: '"Token is logged"' }],
      more: 3,
    },
    totals: { a: totals, b: { ...totals, durationMs: 26_000, outputTokens: 2900, calls: b.calls } },
    calls: [
      call(1, 'list changed files', {}),
      call(2, 'review src/auth/session.ts', {
        fate: 'changed',
        changes: [
          { field: 'prompt', before: '…correctness and security.', after: '…correctness, security and style.' },
          { field: 'result', before: '{"findings":[…]}', after: '{"findings":[]}' },
        ],
      }),
      call(3, 'review src/auth/token.ts', { fate: 'removed', b: null, status: { a: 'completed', b: null } }),
      call(4, 'review src/http/router.ts', { fate: 'moved', movedFrom: asCallPath('/agent:7') }),
    ],
    fates: { same: 1, changed: 1, added: 0, removed: 1, moved: 1 },
  }
}
