// A run with everything a view has to show: phases, parallel agents, a nested workflow, failures, replays, logs, warnings.

import {
  asAgentNumber,
  asCallPath,
  asRunId,
  type AgentOutcome,
  type RunEventPayloads,
  type RunId,
} from '../../../src/shared/index.ts'
import { agentQueued, EventLog, runStarted } from '../shared/events.ts'

/** An event log with the words of a story; times in milliseconds from its start. */
export class RunStory extends EventLog {
  readonly #start: number
  #agents = 0

  constructor(start: number, overrides: Partial<RunEventPayloads['run-started']> = {}) {
    super()
    this.#start = start
    this.at(0, 'run-started', runStarted({ simulated: false, backend: 'opencode', ...overrides }))
  }

  at<Type extends keyof RunEventPayloads>(ms: number, type: Type, payload: RunEventPayloads[Type]): this {
    return this.add(type, payload, this.#start + ms)
  }

  /** Queues an agent and returns its number. */
  queue(ms: number, label: string, phase: string | null, more: Partial<RunEventPayloads['agent-queued']> = {}): number {
    const agent = ++this.#agents
    const path = asCallPath(`/agent:${agent - 1}`)
    this.at(
      ms,
      'agent-queued',
      agentQueued(agent, { label, phase, path, backend: 'opencode', model: 'gpt-5-mini', ...more }),
    )
    return agent
  }

  start(ms: number, agent: number): this {
    return this.at(ms, 'agent-started', { agent: asAgentNumber(agent), attempt: 1 })
  }

  progress(ms: number, agent: number, progress: RunEventPayloads['agent-progress']['progress']): this {
    return this.at(ms, 'agent-progress', { agent: asAgentNumber(agent), progress })
  }

  end(ms: number, agent: number, outcome: AgentOutcome, more: Partial<RunEventPayloads['agent-ended']> = {}): this {
    return this.at(ms, 'agent-ended', {
      agent: asAgentNumber(agent),
      outcome,
      durationMs: 4200,
      attempts: outcome === 'replayed' ? 0 : 1,
      ...more,
    })
  }
}

const FILES = ['src/auth/session.ts', 'src/auth/token.ts', 'src/http/router.ts', 'src/http/cors.ts', 'src/db/pool.ts']

const META = {
  name: 'review-changes',
  description: 'Reviews each changed file and verifies every finding.',
  phases: [
    { title: 'Discover' },
    { title: 'Review', detail: 'one agent a file' },
    { title: 'Verify' },
    { title: 'Report' },
  ],
}

/** A review of five files, half way: one agent failed, one is streaming, a nested workflow is at work. */
export function liveReview(start: number, runId: RunId = asRunId('01LIVE00000000000000000000')): RunStory {
  const story = new RunStory(start, {
    runId,
    lineage: runId,
    meta: META,
    scriptPath: '/workspace/workflows/review-changes.js',
    fileName: 'review-changes.js',
    workspace: '/workspace',
    budgetTokens: 200_000,
    startedBy: { kind: 'harness', name: 'codex' },
  })
  story.at(10, 'phase-started', { title: 'Discover', group: 0 })
  const scout = story.queue(20, 'list changed files', 'Discover', {
    promptPreview: 'List the files that differ from main, one a line.',
  })
  story.end(60, scout, 'replayed', { usage: { outputTokens: 310 }, resultPreview: FILES.join(' ') })
  story.at(70, 'log', {
    message: `${FILES.length} files changed`,
    level: 'log',
    source: 'log',
    phase: 'Discover',
    group: 0,
  })
  story.at(80, 'phase-started', { title: 'Review', group: 0 })
  const reviewers = FILES.map((file) =>
    story.queue(90, `review ${file}`, 'Review', { promptPreview: `Review ${file} for correctness and security.` }),
  )
  const [session = 0, token = 0, router = 0, cors = 0, pool = 0] = reviewers
  for (const agent of [session, token, router, cors]) story.start(200, agent)
  story.progress(900, session, { kind: 'text', text: 'Reading the session store first.' })
  story.progress(1500, session, { kind: 'tool', tool: 'read', title: 'src/auth/session.ts', status: 'running' })
  story.progress(1900, session, { kind: 'tool', tool: 'read', title: 'src/auth/session.ts', status: 'completed' })
  story.progress(4000, session, { kind: 'usage', usage: { outputTokens: 740, inputTokens: 9100 } })
  story.end(7200, session, 'completed', {
    usage: { outputTokens: 1240, inputTokens: 18_200, cacheReadTokens: 12_000, costUsd: 0.0132 },
    resultPreview: '{"findings":[{"line":41,"title":"Session id survives log-in"}]}',
    durationMs: 7000,
  })
  story.at(7300, 'agent-attempt-failed', {
    agent: asAgentNumber(token),
    attempt: 1,
    failure: 'transient',
    error: '429: rate limit, retry after 1 s',
  })
  story.at(8400, 'agent-started', { agent: asAgentNumber(token), attempt: 2 })
  story.end(12_000, token, 'failed', {
    attempts: 2,
    durationMs: 11_800,
    usage: { outputTokens: 210, inputTokens: 6400, costUsd: 0.004 },
    error: { message: 'opencode ended with exit code 1: model not found', failure: 'crashed' },
  })
  story.at(12_010, 'warning', {
    code: 'swallowed-error',
    message: 'review src/auth/token.ts failed and became null: opencode ended with exit code 1: model not found',
    agent: asAgentNumber(token),
    file: 'review-changes.js',
    line: 27,
    column: 14,
  })
  story.start(12_100, pool)
  story.progress(12_500, router, { kind: 'tool', tool: 'grep', title: 'req.params in src/http', status: 'running' })
  story.progress(13_000, pool, { kind: 'text', text: 'The pool is created once per request, which ' })
  story.progress(13_400, pool, { kind: 'text', text: 'exhausts connections under load. Checking who calls it' })
  story.end(13_800, cors, 'skipped')
  story.at(14_000, 'phase-started', { title: 'Verify', group: 0 })
  story.at(14_050, 'workflow-started', {
    group: 1,
    name: 'adversarial-verify',
    path: asCallPath('/workflow:0'),
    fileName: 'adversarial-verify.js',
    phase: 'Verify',
  })
  story.at(14_060, 'phase-started', { title: 'Refute', group: 1 })
  const refuters = ['refute: session id survives log-in', 'refute: pool per request'].map((label) =>
    story.queue(14_080, label, 'Refute', { group: 1 }),
  )
  story.start(14_100, refuters[0] ?? 0)
  story.progress(15_000, refuters[0] ?? 0, {
    kind: 'text',
    text: 'Looking for a place where the id is regenerated after authentication',
  })
  story.at(15_100, 'log', {
    message: 'verifying 2 findings',
    level: 'info',
    source: 'console',
    phase: 'Verify',
    group: 0,
  })
  return story
}

/** A run of `agents` agents in ten phases, all done; every hundredth failed. */
export function bigRun(start: number, agents: number, runId: RunId): RunStory {
  const phases = Array.from({ length: 10 }, (_, n) => ({ title: `Phase ${n + 1}` }))
  const story = new RunStory(start, {
    runId,
    lineage: runId,
    meta: { name: 'big', description: 'Many agents.', phases },
    workspace: '/workspace',
  })
  const perPhase = Math.ceil(agents / phases.length)
  let at = 0
  for (const { title } of phases) {
    story.at((at += 10), 'phase-started', { title, group: 0 })
    for (let n = 0; n < perPhase; n++) {
      const agent = story.queue(at, `agent ${n + 1} of ${title}`, title)
      story.start((at += 3), agent)
      const fails = agent % 100 === 0
      story.end((at += 5), agent, fails ? 'failed' : 'completed', {
        usage: { outputTokens: 50 + (agent % 7) },
        ...(fails ? { error: { message: 'exit code 7', failure: 'crashed' } } : { resultPreview: `result ${agent}` }),
      })
    }
  }
  return story
}
