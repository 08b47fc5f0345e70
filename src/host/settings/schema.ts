// The settings file: what may stand in it, as one schema that also gives the type. Secrets never do.

import { Type, type Static } from 'typebox'

const Command = Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })
const Text = Type.String({ minLength: 1 })

export const SimulatedSettings = Type.Object(
  {
    kind: Type.Literal('simulated'),
    seed: Type.Optional(Type.Integer({ minimum: 0 })),
    /** 0–1: the share of calls that fail. */
    failRate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  },
  { additionalProperties: false },
)

/** What a model's tokens cost, in US dollars a million. A class without a price makes a request that used it cost an unknown sum. */
const TokenPrice = Type.Object(
  {
    /** Not from a cache. */
    input: Type.Number({ minimum: 0 }),
    output: Type.Number({ minimum: 0 }),
    cacheRead: Type.Optional(Type.Number({ minimum: 0 })),
    cacheWrite: Type.Optional(Type.Number({ minimum: 0 })),
  },
  { additionalProperties: false },
)

/** By model, for calls that name theirs. */
const Prices = Type.Optional(Type.Record(Text, TokenPrice))

export const CommandSettings = Type.Object(
  {
    kind: Type.Literal('command'),
    protocol: Type.Literal('jsonl'),
    /** Program and arguments, started without a shell. */
    command: Command,
    env: Type.Optional(Type.Record(Type.String(), Type.String())),
    prices: Prices,
  },
  { additionalProperties: false },
)

const Env = Type.Optional(Type.Record(Type.String(), Type.String()))

/** A command-line agent that Weft knows. */
export const PresetSettings = Type.Object(
  {
    kind: Type.Literal('command'),
    preset: Type.Union([
      Type.Literal('claude'),
      Type.Literal('codex'),
      Type.Literal('gemini'),
      Type.Literal('opencode'),
      Type.Literal('qwen'),
    ]),
    /** Instead of the preset's program. */
    command: Type.Optional(Command),
    /** Behind the preset's own arguments. */
    args: Type.Optional(Type.Array(Type.String())),
    env: Env,
    /** What agents may do without asking. Default `write`: change files in their folder. */
    access: Type.Optional(Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('full')])),
    prices: Prices,
  },
  { additionalProperties: false },
)

/** Any agent that speaks the Agent Client Protocol; `preset` or `command` names it. */
export const AcpSettings = Type.Object(
  {
    kind: Type.Literal('acp'),
    preset: Type.Optional(
      Type.Union([
        Type.Literal('claude'),
        Type.Literal('codex'),
        Type.Literal('gemini'),
        Type.Literal('goose'),
        Type.Literal('opencode'),
        Type.Literal('qwen'),
      ]),
    ),
    command: Type.Optional(Command),
    env: Env,
    /** Of its sessions, by the agent's own id. */
    mode: Type.Optional(Text),
    prices: Prices,
  },
  { additionalProperties: false },
)

/** A model provider, asked directly. Its key is in the environment alone. */
export const ModelApiSettings = Type.Object(
  {
    kind: Type.Literal('model-api'),
    provider: Type.Union([
      Type.Literal('anthropic'),
      Type.Literal('openai'),
      Type.Literal('google'),
      Type.Literal('deepseek'),
      Type.Literal('openai-compatible'),
    ]),
    /** Of calls that name none. */
    model: Type.Optional(Text),
    /** Instead of the provider's own address; `openai-compatible` needs it. */
    baseUrl: Type.Optional(Text),
    /** Name of the environment variable that holds the key. */
    apiKeyEnv: Type.Optional(Text),
    /** Of OpenAI. Default `responses`. */
    api: Type.Optional(Type.Union([Type.Literal('responses'), Type.Literal('chat')])),
    /** What agents may do without asking. Default `write`: change files in their folder. */
    access: Type.Optional(Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('full')])),
    /** Requests of one call. */
    maxTurns: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1 })),
    /** By model, before those that Weft knows. */
    prices: Prices,
  },
  { additionalProperties: false },
)

/** The back end of whoever asked for the run: client name → back end. */
export const HarnessSettings = Type.Object(
  { kind: Type.Literal('harness'), clients: Type.Record(Text, Text) },
  { additionalProperties: false },
)

/** Any other back end: its kind is looked at, the rest by the shape of that kind. */
const AnySettings = Type.Object({ kind: Text })

export type SimulatedSettings = Static<typeof SimulatedSettings>
export type CommandSettings = Static<typeof CommandSettings>
export type PresetSettings = Static<typeof PresetSettings>
export type AcpSettings = Static<typeof AcpSettings>
export type HarnessSettings = Static<typeof HarnessSettings>
export type ModelApiSettings = Static<typeof ModelApiSettings>
export type BackendSettings =
  | SimulatedSettings
  | CommandSettings
  | PresetSettings
  | AcpSettings
  | ModelApiSettings
  | HarnessSettings

export const Settings = Type.Object(
  {
    backends: Type.Optional(Type.Record(Type.String({ minLength: 1 }), AnySettings)),
    defaultBackend: Type.Optional(Text),
    /** Of one run. */
    maxConcurrentAgents: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
    /** Of all runs together; read when the host starts. */
    maxConcurrentAgentsOverall: Type.Optional(Type.Integer({ minimum: 1, maximum: 4096 })),
    agentRetries: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    /** Whether agents in worktrees begin with what is not committed in the workspace. Default `leave`. */
    worktreeUncommitted: Type.Optional(Type.Union([Type.Literal('leave'), Type.Literal('carry')])),
    stallSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    structuredOutputRetries: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    toolName: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })),
    /** UTF-16 units of a result's JSON in a tool call's text. */
    maxResultChars: Type.Optional(Type.Integer({ minimum: 1 })),
    maxStructuredChars: Type.Optional(Type.Integer({ minimum: 1 })),
    /** 0 waits for ever. */
    foregroundSeconds: Type.Optional(Type.Number({ minimum: 0 })),
    onDisconnect: Type.Optional(Type.Union([Type.Literal('keep'), Type.Literal('cancel')])),
    /** Desktop notifications when a run ends or an agent asks for leave while its window is not in front. Default true. */
    notifications: Type.Optional(Type.Boolean()),
    /** The desktop app's own updates. `notify` (default) tells of one, `auto` also gets it; nothing installs by itself. */
    updates: Type.Optional(
      Type.Object(
        {
          mode: Type.Optional(Type.Union([Type.Literal('off'), Type.Literal('notify'), Type.Literal('auto')])),
          channel: Type.Optional(Type.Union([Type.Literal('latest'), Type.Literal('beta')])),
        },
        { additionalProperties: false },
      ),
    ),
    /** What runs that harnesses start may have at most, and which back ends they may ask for. */
    harness: Type.Optional(
      Type.Object(
        {
          maxAgents: Type.Optional(Type.Integer({ minimum: 1 })),
          budgetTokens: Type.Optional(Type.Integer({ minimum: 1 })),
          backends: Type.Optional(Type.Array(Text)),
          /** Every harness sees and steers the runs of all harnesses. */
          sharedRuns: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
    ),
    /** The tool server over HTTP, on this port of 127.0.0.1; off without it. Takes effect when a host starts. */
    toolServerPort: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    /** Whether a harness's run needs the user's leave. Default: `ask` while a window is open, `allow` without one. */
    approval: Type.Optional(Type.Union([Type.Literal('ask'), Type.Literal('allow'), Type.Literal('deny')])),
    retention: Type.Optional(
      Type.Object(
        {
          maxAgeDays: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
          maxMegabytes: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export type Settings = Omit<Static<typeof Settings>, 'backends'> & { backends?: Record<string, BackendSettings> }
