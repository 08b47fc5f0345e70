// The format of `<name>.fixtures.json`: what a simulated run answers. One schema gives the check and the types.

import { Type, type Static } from 'typebox'

const closed = { additionalProperties: false }
const milliseconds = Type.Number({ minimum: 0, maximum: 31 * 24 * 3_600_000 })
const count = Type.Number({ minimum: 0 })
const tokens = Type.Integer({ minimum: 0 })

const FixtureMatch = Type.Object(
  {
    /** The whole label. */
    label: Type.Optional(Type.String()),
    /** A regular expression, in Unicode mode, found anywhere in the label. */
    labelMatches: Type.Optional(Type.String()),
    /** Text found anywhere in the prompt. */
    promptIncludes: Type.Optional(Type.String({ minLength: 1 })),
    promptMatches: Type.Optional(Type.String()),
    /** The phase's title; null for a call before the first phase. */
    phase: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    /** The call's path, such as `/pipeline:0/item:3/agent:1`. */
    path: Type.Optional(Type.String()),
    /** Only the nth call, from 1, that the other conditions fit. */
    nth: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Only this attempt of a call, from 1. */
    attempt: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  closed,
)

const FixtureError = Type.Object(
  {
    message: Type.String({ minLength: 1 }),
    failure: Type.Optional(
      Type.Enum([
        'transient',
        'quota',
        'auth',
        'credit',
        'refused',
        'crashed',
        'stalled',
        'timeout',
        'schema',
        'other',
      ]),
    ),
    /** When the limit is lifted, from the failure on. */
    retryAfterMs: Type.Optional(milliseconds),
    /** What the agent had written when it failed. */
    partial: Type.Optional(Type.String()),
    /** The agent never came into being: fatal for the run. */
    notStarted: Type.Optional(Type.Boolean()),
  },
  closed,
)

const FixtureUsage = Type.Object(
  {
    outputTokens: Type.Optional(tokens),
    inputTokens: Type.Optional(tokens),
    cacheReadTokens: Type.Optional(tokens),
    cacheWriteTokens: Type.Optional(tokens),
    reasoningTokens: Type.Optional(tokens),
    costUsd: Type.Optional(count),
  },
  closed,
)

const FixtureProgress = Type.Union([
  Type.String(),
  Type.Object(
    {
      tool: Type.String({ minLength: 1 }),
      title: Type.Optional(Type.String()),
      input: Type.Optional(Type.Unknown()),
      output: Type.Optional(Type.String()),
      status: Type.Optional(Type.Enum(['running', 'completed', 'failed'])),
    },
    closed,
  ),
])

const FixturePermission = Type.Object(
  {
    title: Type.String({ minLength: 1 }),
    detail: Type.Optional(Type.String()),
    options: Type.Optional(
      Type.Array(Type.Enum(['allow-once', 'allow-run', 'reject']), {
        minItems: 1,
        uniqueItems: true,
      }),
    ),
    /** The answer when it is rejected; without one the call fails as `refused`. */
    rejected: Type.Optional(Type.Unknown()),
  },
  closed,
)

const FixtureCall = Type.Object(
  {
    /** All that is given has to fit; nothing given fits every call. */
    match: Type.Optional(FixtureMatch),
    /** Text, or JSON for a call with a schema. Left out, with neither `error` nor `skip`, the answer is generated. */
    answer: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Union([Type.String({ minLength: 1 }), FixtureError])),
    /** Skipped, as if by hand: the script gets null. */
    skip: Type.Optional(Type.Literal(true)),
    /** Answers given first, for the schema to refuse. */
    invalid: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1, maxItems: 100 })),
    /** How long the call takes, in all. */
    delayMs: Type.Optional(milliseconds),
    usage: Type.Optional(FixtureUsage),
    /** Shown while it runs: lines of text, or tool calls. */
    progress: Type.Optional(Type.Array(FixtureProgress, { maxItems: 10_000 })),
    permission: Type.Optional(FixturePermission),
  },
  closed,
)

export const FixturesFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    /** The seed of what is generated, where the run names none. */
    seed: Type.Optional(Type.Integer({ minimum: 0 })),
    /** The first that fits a call is used. */
    calls: Type.Array(FixtureCall),
    /** What becomes of a call that none fits: an answer is generated (the default), or it fails. */
    otherwise: Type.Optional(Type.Enum(['generate', 'fail'])),
  },
  closed,
)

export type Fixtures = Static<typeof FixturesFile>
export type Fixture = Static<typeof FixtureCall>
export type FixtureProgressStep = Static<typeof FixtureProgress>
