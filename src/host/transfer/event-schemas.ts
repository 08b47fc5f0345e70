// Run events as JSON Schema: what a file from elsewhere may bring. Strict, so that a field of a later version is told of
// instead of lost.

import { Type, type TProperties } from 'typebox'
import type { RunEventType } from '../../shared/index.ts'

const Count = Type.Integer({ minimum: 0 })
const Millis = Type.Number({ minimum: 0 })
const Line = Type.Integer({ minimum: 1 })
const Text = Type.String()
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const oneOf = (...names: string[]) => Type.Union(names.map((name) => Type.Literal(name)))
const record = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** Ids are a part of paths and addresses nowhere, and stay so short that none could be. */
export const Id = Type.String({ pattern: '^[0-9A-Za-z_-]{1,64}$' })
export const Agent = Type.Integer({ minimum: 1 })
export const Outcome = oneOf('completed', 'failed', 'skipped', 'cancelled', 'replayed')
export const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

export const Usage = record({
  outputTokens: Type.Number({ minimum: 0 }),
  inputTokens: Type.Optional(Type.Number({ minimum: 0 })),
  cacheReadTokens: Type.Optional(Type.Number({ minimum: 0 })),
  cacheWriteTokens: Type.Optional(Type.Number({ minimum: 0 })),
  reasoningTokens: Type.Optional(Type.Number({ minimum: 0 })),
  costUsd: Type.Optional(Type.Number({ minimum: 0 })),
})

const Failure = oneOf(
  'transient',
  'quota',
  'auth',
  'credit',
  'refused',
  'crashed',
  'stalled',
  'timeout',
  'schema',
  'budget',
  'other',
)
const Site = record({ line: Line, column: Line })
const Starter = record({
  kind: oneOf('cli', 'window', 'browser', 'harness', 'test'),
  name: Type.Optional(Text),
})
/** Codes are a closed set for those who write them; one of a later version is shown as it is. Causes end somewhere. */
const runError = (depth: number): ReturnType<typeof record> =>
  record({
    code: Text,
    message: Text,
    name: Type.Optional(Text),
    file: Type.Optional(Text),
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.Integer()),
    stack: Type.Optional(Text),
    ...(depth > 0 && { cause: Type.Optional(runError(depth - 1)) }),
  })
const RunError = runError(10)
/** As the checker has taken it: fields that this version does not know were only warned of. */
const Meta = Type.Object({
  name: Type.String({ minLength: 1 }),
  description: Text,
  whenToUse: Type.Optional(Text),
  phases: Type.Optional(
    Type.Array(
      Type.Object({
        title: Text,
        detail: Type.Optional(Text),
        provider: Type.Optional(Text),
        model: Type.Optional(Text),
      }),
    ),
  ),
})
const PermissionOption = oneOf('allow-once', 'allow-run', 'reject')
const Progress = Type.Union([
  record({ kind: Type.Literal('text'), text: Text }),
  record({
    kind: Type.Literal('tool'),
    tool: Text,
    title: Type.Optional(Text),
    input: Type.Optional(Type.Unknown()),
    output: Type.Optional(Text),
    status: Type.Optional(oneOf('running', 'completed', 'failed')),
  }),
  record({ kind: Type.Literal('usage'), usage: Usage }),
  record({ kind: Type.Literal('rejected'), errors: Type.Array(Text), answer: Text }),
  record({ kind: Type.Literal('raw'), text: Text }),
])

/** The payload of each type of event. */
const PAYLOADS = {
  'run-started': {
    runId: Id,
    meta: Meta,
    scriptHash: Hash,
    scriptPath: TextOrNull,
    fileName: Text,
    workspace: Text,
    args: Type.Optional(Type.Unknown()),
    backend: Text,
    model: Type.Optional(Text),
    simulated: Type.Boolean(),
    dry: Type.Boolean(),
    budgetTokens: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
    maxConcurrentAgents: Type.Integer({ minimum: 1 }),
    maxAgents: Type.Integer({ minimum: 1 }),
    startedBy: Starter,
    lineage: Id,
    resumedFrom: Type.Union([Id, Type.Null()]),
    title: Type.Optional(Text),
  },
  'workflow-started': {
    group: Type.Integer({ minimum: 1 }),
    name: Text,
    path: Text,
    fileName: Text,
    phase: Type.Optional(TextOrNull),
    site: Type.Optional(Site),
  },
  'workflow-ended': {
    group: Type.Integer({ minimum: 1 }),
    outcome: oneOf('completed', 'failed'),
    error: Type.Optional(RunError),
  },
  'phase-started': { title: Text, group: Count },
  'agent-queued': {
    agent: Agent,
    path: Text,
    key: Text,
    label: Text,
    phase: TextOrNull,
    group: Count,
    backend: Text,
    model: Type.Optional(Text),
    promptPreview: Text,
    promptLength: Count,
    site: Type.Optional(Site),
  },
  'agent-started': { agent: Agent, attempt: Type.Integer({ minimum: 1 }) },
  'agent-progress': { agent: Agent, progress: Progress },
  'agent-attempt-failed': {
    agent: Agent,
    attempt: Type.Integer({ minimum: 1 }),
    failure: Type.Union([...Failure.anyOf, Type.Literal('retried')]),
    error: Text,
    retryAt: Type.Optional(Millis),
  },
  'agent-ended': {
    agent: Agent,
    outcome: Outcome,
    resultPreview: Type.Optional(Text),
    usage: Type.Optional(Usage),
    durationMs: Millis,
    attempts: Count,
    rejections: Type.Optional(Count),
    error: Type.Optional(record({ message: Text, failure: Failure, code: Type.Optional(Text) })),
    branch: Type.Optional(Text),
  },
  log: {
    message: Text,
    level: oneOf('log', 'info', 'warn', 'error', 'debug'),
    source: oneOf('log', 'console'),
    phase: TextOrNull,
    group: Count,
  },
  warning: {
    code: Text,
    message: Text,
    agent: Type.Optional(Agent),
    path: Type.Optional(Text),
    file: Type.Optional(Text),
    line: Type.Optional(Type.Integer()),
    column: Type.Optional(Type.Integer()),
  },
  'run-paused': { by: oneOf('user', 'limit'), reason: Text, until: Type.Optional(Millis) },
  'run-continued': { by: oneOf('user', 'limit') },
  'permission-asked': {
    agent: Agent,
    request: Text,
    title: Text,
    detail: Type.Optional(Text),
    options: Type.Array(PermissionOption),
  },
  'permission-answered': {
    agent: Agent,
    request: Text,
    answer: PermissionOption,
    by: oneOf('user', 'policy', 'cancelled'),
  },
  'run-ended': {
    outcome: oneOf('completed', 'cancelled', 'error', 'interrupted'),
    degraded: Type.Boolean(),
    error: Type.Optional(RunError),
    reason: Type.Optional(Text),
    resultPreview: Type.Optional(Text),
    durationMs: Millis,
  },
} satisfies Record<RunEventType, TProperties>

/** The schema of a whole event of that type. */
export function eventSchema(type: RunEventType): object {
  return record({
    seq: Type.Integer({ minimum: 1 }),
    at: Type.Number({ minimum: 0, maximum: 8.64e15 }),
    type: Type.Literal(type),
    ...PAYLOADS[type],
  })
}

export function isEventType(name: unknown): name is RunEventType {
  return typeof name === 'string' && Object.hasOwn(PAYLOADS, name)
}
