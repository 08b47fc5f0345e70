// A host with a small workspace in memory: workflows that can be edited and saved, checks, a live run and a finished one.

import {
  type ConnectedHarness,
  type HostStatus,
  asAgentNumber,
  asRunId,
  EMPTY_RUN,
  foldRunAll,
  HostError,
  toRunEnvelope,
  type Diagnostic,
  type DryRunPlan,
  type JsonValue,
  type RunEvent,
  type WorkflowEntry,
  type WorkflowFile,
} from '../../../src/shared/index.ts'
import { FakeHost, runRow } from './fake-host.ts'
import { SampleFiles } from './sample-author.ts'
import { SampleConnections } from './sample-connections.ts'
import { sampleHistory } from './sample-history.ts'
import { bigRun, liveReview, type RunStory } from './sample-run.ts'

export const WORKSPACE = '/workspace'
export const LIVE_RUN = asRunId('01LIVE00000000000000000000')
export const BIG_RUN = asRunId('01BIG000000000000000000000')

export const SCRIPT = `export const meta = {
  name: 'review-changes',
  description: 'Reviews each changed file.',
}

const listing = await agent('List the changed files.', { label: 'list changed files' })
return { listing, at: Date.now() }
`

export const pathOf = (name: string): string => `${WORKSPACE}/workflows/${name}.js`

function entry(name: string, more: Partial<WorkflowEntry> = {}): WorkflowEntry {
  return {
    name,
    description: `What ${name} does.`,
    whenToUse: null,
    path: pathOf(name),
    fileName: `${name}.js`,
    source: 'project',
    shadowedBy: null,
    error: null,
    argsSchema: null,
    ...more,
  }
}

const ENTRIES: WorkflowEntry[] = [
  entry('review-changes'),
  entry('bug-hunt'),
  entry('broken', { error: 'broken.js:3:9 description: expected a string, got a number', description: null }),
  entry('research', { source: 'user', path: '/home/me/research.js', shadowedBy: pathOf('research') }),
  entry('judge-panel', { source: 'bundled', path: '/app/workflows/judge-panel.js' }),
]

export class SampleHost extends FakeHost {
  /** What is on disk, by path; SCRIPT where nothing else was saved. */
  readonly disk = new Map<string, string>()
  /** That of review-changes. */
  argsSchema: JsonValue = null
  readonly files = new SampleFiles(this.disk)
  readonly connections = new SampleConnections()
  readonly harnesses: ConnectedHarness[] = []
  readonly live: RunStory
  readonly #big: RunStory

  constructor(now: number) {
    super()
    this.live = liveReview(now - 16_000, LIVE_RUN)
    this.#big = bigRun(now - 3_600_000, 1000, BIG_RUN)
    this.#big.at(10_000, 'run-ended', { outcome: 'completed', degraded: true, durationMs: 10_000 })
    Object.assign(this.handlers, this.#hostCalls(), this.#workflowCalls(), this.#runCalls(now), this.files.handlers())
    Object.assign(this.handlers, this.connections.handlers())
  }

  /** Adds to the live run and pushes it. */
  stream(tell: (story: RunStory) => void): void {
    const seen = this.live.events.length
    tell(this.live)
    this.push('run.events', { runId: LIVE_RUN, events: this.live.events.slice(seen) })
  }

  /** They are connected from now on. */
  connect(...harnesses: ConnectedHarness[]): void {
    this.harnesses.push(...harnesses)
    this.push('host.status', this.#status())
  }

  #status(): HostStatus {
    return {
      pid: 1,
      version: '0.1.0',
      dataDir: '/data',
      liveRuns: 1,
      runningAgents: 3,
      clients: 1,
      harnesses: [...this.harnesses],
      warnings: [],
    }
  }

  #hostCalls(): FakeHost['handlers'] {
    const capabilities = {
      schema: 'native' as const,
      models: true,
      effort: true,
      agentType: true,
      allowedTools: true,
      worktree: true,
      usage: 'exact' as const,
      cost: true,
      steer: false,
      permissions: true,
      resumeSession: false,
    }
    const backend = (id: string, isDefault: boolean, available: boolean, detail: string | null) => ({
      id,
      kind: id,
      isDefault,
      available,
      detail,
      capabilities,
    })
    return {
      'host.hello': () => ({ apiVersion: 1, hostVersion: '0.1.0', pid: 1 }),
      'host.status': () => this.#status(),
      'workspace.initial': () => ({ workspace: WORKSPACE, open: null }),
      'backends.list': () => ({
        backends: [
          backend('opencode', true, true, 'opencode 1.18.33'),
          backend('simulated', false, true, null),
          backend('codex', false, false, 'codex is not installed'),
        ],
      }),
    }
  }

  #workflowCalls(): FakeHost['handlers'] {
    return {
      'workflows.list': () => ({ workflows: this.#entries() }),
      'workflows.read': ({ path }) => this.#file(path),
      'workflows.save': ({ path, text, baseHash }) => {
        if (baseHash === null ? this.disk.has(path) : this.#file(path).hash !== baseHash)
          throw new HostError({ code: 'CONFLICT', message: 'changed on disk' })
        this.disk.set(path, text)
        return this.#file(path)
      },
      'script.diagnose': ({ text }) => ({
        meta: { name: 'review-changes', description: 'Reviews each changed file.' },
        diagnostics: findClocks(text),
      }),
    }
  }

  #runCalls(now: number): FakeHost['handlers'] {
    const history = sampleHistory(now)
    const rows = [
      runRow({ runId: LIVE_RUN, workflow: 'review-changes', startedAt: now - 16_000 }),
      runRow({
        runId: BIG_RUN,
        workflow: 'big',
        status: 'completed',
        degraded: true,
        startedAt: now - 3_600_000,
        endedAt: now - 3_590_000,
        calls: { completed: 990, failed: 10, skipped: 0, cancelled: 0, replayed: 0, refused: 0 },
      }),
      ...history.rows,
    ]
    const eventsOf = (runId: string): RunEvent[] =>
      history.events[runId] ?? (runId === LIVE_RUN ? this.live : this.#big).events
    return {
      ...history.handlers,
      'run.list': ({ text = '', status }) => {
        const runs = rows.filter(
          (row) => row.workflow.includes(text) && (status === undefined || status.includes(row.status)),
        )
        return { runs, total: runs.length, pinned: [] }
      },
      'run.get': ({ runId }) => {
        const row = rows.find((known) => known.runId === runId)
        if (row === undefined) throw new HostError({ code: 'NOT_FOUND', message: `no run ${runId}` })
        return { row, lastSeq: eventsOf(runId).length }
      },
      'run.events': ({ runId, fromSeq, limit }) => {
        const events = eventsOf(runId)
        return { events: events.slice(fromSeq - 1, fromSeq - 1 + limit), lastSeq: events.length }
      },
      'run.watch': ({ runId }) => ({ lastSeq: eventsOf(runId).length }),
      'run.unwatch': () => ({}),
      'run.result': () => ({ settled: true, json: '{"ok":true,"list":[1,2,3]}' }),
      'run.call': ({ runId, agent }) => {
        const state = foldRunAll(EMPTY_RUN, eventsOf(runId)).agents[agent - 1]
        if (state === undefined) throw new HostError({ code: 'NOT_FOUND', message: `no agent ${agent}` })
        return {
          agent: asAgentNumber(agent),
          path: state.path,
          key: state.key,
          prompt: `${state.promptPreview}\nThe whole prompt.`,
          options: { label: state.label },
          outcome: null,
          result: null,
          usage: null,
          durationMs: null,
        }
      },
      'run.cancel': () => ({}),
      'run.answerPermission': () => ({}),
      'run.start': () => ({ runId: LIVE_RUN }),
      'run.dryRun': () => dryRunReply(now),
    }
  }

  #entries(): WorkflowEntry[] {
    const first = ENTRIES.map((known, index) => (index === 0 ? { ...known, argsSchema: this.argsSchema } : known))
    const names = ENTRIES.map(({ path }) => path)
    const added = [...this.disk.keys()].filter((path) => path.endsWith('.js') && !names.includes(path))
    return [...first, ...added.map((path) => entry(path.slice(path.lastIndexOf('/') + 1, -3)))]
  }

  #file(path: string): WorkflowFile {
    const text = this.disk.get(path) ?? SCRIPT
    const fileName = path.slice(path.lastIndexOf('/') + 1)
    return { path, fileName, text, hash: `hash of ${text}`, writable: !path.startsWith('/app') }
  }
}

function findClocks(text: string): Diagnostic[] {
  return text.split('\n').flatMap((line, index) => {
    const at = line.indexOf('Date.now')
    return at === -1
      ? []
      : [
          {
            severity: 'error' as const,
            code: 'lint/clock',
            message: 'Date.now() is not available.',
            hint: 'Pass a timestamp in args.',
            fix: {
              title: 'Take it from args',
              range: { line: index + 1, column: at + 1, endLine: index + 1, endColumn: at + 11 },
              text: 'args.now',
            },
            line: index + 1,
            column: at + 1,
            endLine: index + 1,
            endColumn: at + 9,
          },
        ]
  })
}

function dryRunReply(now: number) {
  const story = liveReview(now)
  const [started, ...rest] = story.events
  if (started?.type !== 'run-started') throw new Error('a run begins with run-started')
  // The story up to its first phase, ended.
  const events = [{ ...started, dry: true, simulated: true }, ...rest.slice(0, 4)] as RunEvent[] // same event, other flags
  events.push({ seq: 6, at: now + 5000, type: 'run-ended', outcome: 'completed', degraded: false, durationMs: 5000 })
  const plan: DryRunPlan = {
    phases: [{ title: 'Discover', group: 0, agents: 1, startMs: 0, endMs: 5000 }],
    peakConcurrency: 1,
    longestPath: [{ agent: asAgentNumber(1), label: 'list changed files', startMs: 0, endMs: 5000 }],
    estimate: {
      wallClockMs: 252_000,
      outputTokens: 24_300,
      inputTokens: 181_000,
      costUsd: null,
      basis: 'default',
      runs: 0,
    },
    unreached: [
      { line: 7, column: 1, endLine: 7, endColumn: 10, what: "agent('Write the report')" },
      { line: 2, column: 1, endLine: 2, endColumn: 6, what: 'agent', file: pathOf('bug-hunt') },
    ],
  }
  return { events, plan, envelope: toRunEnvelope(foldRunAll(EMPTY_RUN, events), { done: true }) }
}
