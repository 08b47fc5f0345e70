// The parameters of every HostApi call as JSON Schema: one source for the types (host-api.ts) and for the check at each door.

import { Type } from 'typebox'

const RunIdText = Type.String({ minLength: 1, maxLength: 64 })
const Path = Type.String({ minLength: 1, maxLength: 4096 })
const empty = Type.Object({}, { additionalProperties: false })
const ofBranch = Type.Object(
  { workspace: Path, branch: Type.String({ minLength: 1, maxLength: 256 }) },
  { additionalProperties: false },
)
const ofConnection = {
  harness: Type.String({ minLength: 1, maxLength: 64 }),
  /** The user's own configuration, or the one in the workspace. */
  scope: Type.Union([Type.Literal('user'), Type.Literal('project')]),
  workspace: Path,
}
const connectionChange = Type.Object(
  { ...ofConnection, hash: Type.Optional(Type.String({ maxLength: 64 })) },
  { additionalProperties: false },
)
const ofRun = Type.Object({ runId: RunIdText }, { additionalProperties: false })

/** Where a script comes from. */
export const ScriptSource = Type.Union([
  Type.Object({ kind: Type.Literal('path'), path: Path }, { additionalProperties: false }),
  Type.Object(
    { kind: Type.Literal('name'), name: Type.String({ minLength: 1, maxLength: 256 }) },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('text'),
      text: Type.String(),
      /** What the file is called in errors; its ending decides whether types are stripped. */
      fileName: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
      /** Meta as data, for a body without `export const meta`. */
      meta: Type.Optional(Type.Unknown()),
      /** The file this text is an unsaved version of: relative names and fixtures are looked up beside it. */
      path: Type.Optional(Path),
    },
    { additionalProperties: false },
  ),
])

export const RunOptions = Type.Object(
  {
    workspace: Path,
    source: ScriptSource,
    /** Any JSON value; left out, the script sees `undefined`. */
    args: Type.Optional(Type.Unknown()),
    backend: Type.Optional(Type.String({ minLength: 1 })),
    model: Type.Optional(Type.String({ minLength: 1 })),
    budgetTokens: Type.Optional(Type.Integer({ minimum: 1 })),
    maxConcurrentAgents: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
    maxAgents: Type.Optional(Type.Integer({ minimum: 1 })),
    title: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
)

/** A run of its own, or one that goes on from an earlier run and takes from that whatever is left out here. */
export const StartOptions = Type.Object(
  {
    ...RunOptions.properties,
    /** Both are needed unless an earlier run has them. */
    workspace: Type.Optional(Path),
    source: Type.Optional(ScriptSource),
    /** Calls that the earlier run has finished are answered from it. */
    resumeFromRunId: Type.Optional(RunIdText),
    /** Whoever starts it will watch it and answers what its agents ask leave for: a person at a terminal. */
    answers: Type.Optional(Type.Boolean()),
    /** What is not taken from the earlier run: without args the script sees `undefined`, without a budget nothing is refused. */
    without: Type.Optional(
      Type.Array(Type.Union([Type.Literal('args'), Type.Literal('budget')]), { uniqueItems: true }),
    ),
  },
  { additionalProperties: false },
)

const SimulationOptions = Type.Object(
  {
    /** A fixtures file; by default the one beside the script. */
    fixturesPath: Type.Optional(Path),
    seed: Type.Optional(Type.Integer({ minimum: 0 })),
    /** 0–1: the share of calls that fail, picked by their keys and the seed. */
    failRate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    /** Labels or call paths that fail. */
    failCalls: Type.Optional(Type.Array(Type.String())),
    /** An earlier run, whose answers the same calls get; fixtures come first. */
    answersFromRun: Type.Optional(RunIdText),
    /** How agents' questions for permission are answered. Default `allow-once`. */
    permissions: Type.Optional(Type.Union([Type.Literal('allow-once'), Type.Literal('reject')])),
  },
  { additionalProperties: false },
)

const ClientKind = Type.Union([
  Type.Literal('cli'),
  Type.Literal('window'),
  Type.Literal('browser'),
  Type.Literal('harness'),
  Type.Literal('test'),
])

export const callSchemas = {
  'host.hello': Type.Object(
    {
      apiVersion: Type.Integer(),
      client: Type.Object(
        {
          kind: ClientKind,
          name: Type.Optional(Type.String({ maxLength: 100 })),
          version: Type.Optional(Type.String({ maxLength: 100 })),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  'host.status': empty,
  /** Reads the whole database: takes a while for a large one. */
  'host.doctor': empty,
  'workspace.initial': empty,
  'workflows.list': Type.Object({ workspace: Path }, { additionalProperties: false }),
  'workflows.read': Type.Object({ path: Path }, { additionalProperties: false }),
  /** `baseHash` is the hash of the text the edit began from; a file changed since is refused with code `CONFLICT`. */
  'workflows.save': Type.Object(
    { path: Path, text: Type.String(), baseHash: Type.Union([Type.String(), Type.Null()]) },
    { additionalProperties: false },
  ),
  /** The JSON files beside a script (fixtures, args schema) go along. */
  'workflows.rename': Type.Object({ path: Path, to: Path }, { additionalProperties: false }),
  /** `baseHash` as in `workflows.save`. */
  'workflows.delete': Type.Object({ path: Path, baseHash: Type.String() }, { additionalProperties: false }),
  'drafts.list': empty,
  'drafts.read': Type.Object({ path: Path }, { additionalProperties: false }),
  'drafts.write': Type.Object(
    { path: Path, text: Type.String(), baseHash: Type.String() },
    { additionalProperties: false },
  ),
  'drafts.drop': Type.Object({ path: Path }, { additionalProperties: false }),
  /** Scripts, and by the endings of their names fixtures and args schemas. */
  'script.diagnose': Type.Object(
    { text: Type.String(), fileName: Type.String({ minLength: 1 }), workspace: Type.Optional(Path) },
    { additionalProperties: false },
  ),
  'backends.list': empty,
  /** Asks programs for their version: takes seconds the first time. */
  'backends.find': empty,
  /** Branches that keep agents' changes, of the workspace's repository; with `runId` those of one run. */
  'branches.list': Type.Object({ workspace: Path, runId: Type.Optional(RunIdText) }, { additionalProperties: false }),
  'branches.diff': ofBranch,
  /** Into the branch that is checked out in the workspace. */
  'branches.merge': ofBranch,
  /** `unmerged`: although the checked-out commit does not hold it. */
  'branches.drop': Type.Object(
    { ...ofBranch.properties, unmerged: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  'branches.open': ofBranch,
  'settings.get': empty,
  'settings.set': Type.Object({ settings: Type.Unknown() }, { additionalProperties: false }),
  'connections.list': Type.Object({ workspace: Path }, { additionalProperties: false }),
  /** `remove`: what taking it out would change. */
  'connections.preview': Type.Object(
    { ...ofConnection, remove: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  /** `hash`: the preview's. */
  'connections.connect': connectionChange,
  'connections.disconnect': connectionChange,
  /** What harnesses ask the user's leave for. For people: refused to harnesses, as is the answer. */
  'approvals.list': empty,
  /** Leave is remembered for the same script with the same nested workflows; a refusal is not. */
  'approvals.answer': Type.Object(
    {
      id: RunIdText,
      answer: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
      // For a refusal: whoever wrote the script is told.
      reason: Type.Optional(Type.String({ maxLength: 500 })),
    },
    { additionalProperties: false },
  ),
  'run.start': StartOptions,
  'run.dryRun': Type.Object(
    { ...RunOptions.properties, simulation: Type.Optional(SimulationOptions) },
    { additionalProperties: false },
  ),
  /** What `run.start` with the same parameters would replay and run. */
  'run.resumePlan': Type.Object(
    { ...StartOptions.properties, resumeFromRunId: RunIdText },
    { additionalProperties: false },
  ),
  'run.list': Type.Object(
    {
      workspace: Type.Optional(Path),
      status: Type.Optional(Type.Array(Type.String())),
      workflow: Type.Optional(Type.String()),
      /** A part of the workflow's name, the title, the id or the error, in any case. */
      text: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
      /** Started at that time or later, ms since the epoch. */
      since: Type.Optional(Type.Number()),
      /** Started before that time, ms since the epoch. */
      until: Type.Optional(Type.Number()),
      startedBy: Type.Optional(ClientKind),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
    },
    { additionalProperties: false },
  ),
  'run.get': ofRun,
  /** Words and "quoted phrases" that a prompt, a result, a log line or a return value has all of. */
  'run.search': Type.Object(
    {
      text: Type.String({ minLength: 1, maxLength: 1000 }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    },
    { additionalProperties: false },
  ),
  'run.compare': Type.Object({ a: RunIdText, b: RunIdText }, { additionalProperties: false }),
  /** Interrupted runs that can be resumed and have not been, of one workflow or of all. */
  'run.resumable': Type.Object(
    { workspace: Path, workflow: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  'run.delete': Type.Object(
    { runIds: Type.Array(RunIdText, { minItems: 1, maxItems: 1000 }) },
    { additionalProperties: false },
  ),
  /** Pinned runs are kept whatever their age. */
  'run.pin': Type.Object({ runId: RunIdText, pinned: Type.Boolean() }, { additionalProperties: false }),
  /** The first page without a cursor, each further one with the cursor of the page before it. */
  'run.export': Type.Object(
    {
      runId: RunIdText,
      format: Type.Union([Type.Literal('jsonl'), Type.Literal('html')]),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    },
    { additionalProperties: false },
  ),
  /** A file of `run.export` in pieces of at most 1,000,000 UTF-16 units: the first without `importId`. */
  'run.import': Type.Object(
    {
      importId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      text: Type.String({ maxLength: 1_000_000 }),
      last: Type.Boolean(),
    },
    { additionalProperties: false },
  ),
  /** Events from `fromSeq` on (1 for all), at most `limit`. */
  'run.events': Type.Object(
    { runId: RunIdText, fromSeq: Type.Integer({ minimum: 1 }), limit: Type.Integer({ minimum: 1, maximum: 10_000 }) },
    { additionalProperties: false },
  ),
  /** From now on this client gets the run's events as `run.events`, beginning with `fromSeq`. */
  'run.watch': Type.Object(
    {
      runId: RunIdText,
      fromSeq: Type.Integer({ minimum: 1 }),
      /** A person at a terminal answers what its agents ask leave for; windows and browsers need not say so. */
      answers: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  'run.unwatch': ofRun,
  'run.result': ofRun,
  'run.script': ofRun,
  /** `request` is that of the run's `permission-asked` event. */
  'run.answerPermission': Type.Object(
    {
      runId: RunIdText,
      agent: Type.Integer({ minimum: 1 }),
      request: Type.String({ minLength: 1 }),
      answer: Type.Union([Type.Literal('allow-once'), Type.Literal('allow-run'), Type.Literal('reject')]),
    },
    { additionalProperties: false },
  ),
  'run.call': Type.Object({ runId: RunIdText, agent: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
  'run.cancel': Type.Object(
    { runId: RunIdText, reason: Type.Optional(Type.String({ maxLength: 1000 })) },
    { additionalProperties: false },
  ),
  /** Queued agents wait, running ones go on. */
  'run.pause': Type.Object(
    { runId: RunIdText, reason: Type.Optional(Type.String({ maxLength: 1000 })) },
    { additionalProperties: false },
  ),
  'run.continue': ofRun,
  /** `skip` and `stop` make the agent null to the script, `retry` starts its attempt again. */
  'run.agent': Type.Object(
    {
      runId: RunIdText,
      agent: Type.Integer({ minimum: 1 }),
      action: Type.Union([Type.Literal('skip'), Type.Literal('retry'), Type.Literal('stop')]),
    },
    { additionalProperties: false },
  ),
} as const
