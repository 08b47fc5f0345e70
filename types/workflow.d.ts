/**
 * The hooks that a Weft workflow script may use. They are globals: a script imports nothing.
 *
 * This file is the one source for the editor's IntelliSense, the guide "Writing workflows" and the tool's description.
 * A script begins with `export const meta = { … }` (a pure literal); the rest is plain JavaScript with top-level
 * `await` and `return`. Its return value has to be JSON data.
 */

/** Any JSON value. */
type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** A JSON Schema: an object, or `true` for anything. The dialect is that of `$schema`, 2020-12 without one. */
type JsonSchema = boolean | { readonly [keyword: string]: unknown }

/** The type of the values that a literal JSON Schema accepts; `JsonValue` where it can't be told. */
type FromSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly anyOf: readonly (infer A)[] }
      ? FromSchema<A>
      : S extends { readonly oneOf: readonly (infer O)[] }
        ? FromSchema<O>
        : S extends { readonly type: readonly (infer T)[] }
          ? SchemaTypeOf<T, S>
          : S extends { readonly type: infer T }
            ? SchemaTypeOf<T, S>
            : S extends { readonly properties: object }
              ? SchemaObject<S>
              : JsonValue

type SchemaTypeOf<T, S> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { readonly items: infer I }
            ? FromSchema<I>[]
            : JsonValue[]
          : T extends 'object'
            ? S extends { readonly properties: object }
              ? SchemaObject<S>
              : S extends { readonly additionalProperties: infer V extends { readonly [keyword: string]: unknown } }
                ? { [key: string]: FromSchema<V> }
                : { [key: string]: JsonValue }
            : JsonValue

type SchemaObject<S> = S extends { readonly properties: infer P }
  ? S extends { readonly required: readonly (infer R)[] }
    ? SchemaFlat<
        { -readonly [K in keyof P as K extends R ? K : never]: FromSchema<P[K]> } & {
          -readonly [K in keyof P as K extends R ? never : K]?: FromSchema<P[K]>
        }
      >
    : { -readonly [K in keyof P]?: FromSchema<P[K]> }
  : never

type SchemaFlat<T> = { [K in keyof T]: T[K] } & {}

/** What the script says about itself: the first statement, `export const meta = { … }`. */
interface WorkflowMeta {
  /** The name it is started by, in kebab-case. */
  name: string
  /** One sentence: what it does. */
  description: string
  /** When a harness should choose it. */
  whenToUse?: string
  /** The phases it goes through, so that the run's view can show them ahead. */
  phases?: {
    title: string
    detail?: string
    /** Back end for the agents of this phase that name none themselves. */
    provider?: string
    /** Model for the agents of this phase that name none themselves. */
    model?: string
  }[]
}

/** Options of {@link agent}. An option that the chosen back end can't honour is refused before the agent starts. */
interface AgentOptions<S extends JsonSchema = JsonSchema> {
  /** The row's name in the run tree. Not part of the call's identity: changing it never re-runs anything. */
  label?: string
  /** The phase this agent is shown under, instead of the current one. */
  phase?: string
  /** JSON Schema of the answer. The agent is asked again when its answer does not match; then `STRUCTURED_OUTPUT` is thrown. */
  schema?: S
  /** Id of the back end that runs it, instead of the run's own; or a model provider that one of them asks, as `anthropic`. */
  provider?: string
  model?: string
  /** How hard the model thinks. */
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  /** Give it a git worktree of its own; its changes are kept on a branch. */
  isolation?: 'worktree'
  /** A named agent definition, e.g. `.claude/agents/<name>.md`. */
  agentType?: string
  /** The only tools it may use. */
  allowedTools?: string[]
}

/**
 * Starts one sub-agent and waits for its final text, or, with `schema`, for the value that matches it.
 *
 * Resolves to `null` when the agent failed after its retries, or was skipped: filter before you count.
 * Throws `BUDGET_EXCEEDED` once the run's budget is spent, and for misuse (an unknown option, an empty prompt).
 *
 * @example
 * const summary = await agent('Summarise README.md in one sentence.', { label: 'readme' })
 * @example
 * const found = await agent(`List bugs in ${file}.`, {
 *   schema: { type: 'object', properties: { bugs: { type: 'array', items: { type: 'string' } } }, required: ['bugs'] },
 * })
 * const bugs = found?.bugs ?? []
 */
declare function agent<const S extends JsonSchema>(
  prompt: string,
  options: AgentOptions<S> & { schema: S },
): Promise<FromSchema<S> | null>
declare function agent(prompt: string, options?: AgentOptions): Promise<string | null>

/**
 * Runs functions at once and waits for all of them (a barrier). Results come in input order.
 *
 * Takes functions, not promises: `parallel(files.map((file) => () => agent(…)))`. One that throws gives `null` in its
 * place, with a warning on the run. At most 4,096 a call. Use {@link pipeline} unless the next step needs all results.
 */
declare function parallel<T>(thunks: readonly (() => T | PromiseLike<T>)[]): Promise<(T | null)[]>

/**
 * Sends each item through all stages on its own: the second stage of one item does not wait for the first of another.
 *
 * A stage gets `(previous, originalItem, index)`; the first one gets the item itself as `previous`. A stage that
 * throws makes that item `null` and skips its later stages; a returned `null` is a value and goes on. Results come in item order. At most 4,096 items.
 *
 * @example
 * const reviews = await pipeline(
 *   files,
 *   (file) => agent(`Review ${file}.`, { label: file }),
 *   (review, file) => agent(`Is this review of ${file} right? ${review}`, { label: `verify ${file}` }),
 * )
 */
declare function pipeline<I, A>(items: readonly I[], stage: PipelineStage<I, I, A>): Promise<(Awaited<A> | null)[]>
declare function pipeline<I, A, B>(
  items: readonly I[],
  first: PipelineStage<I, I, A>,
  second: PipelineStage<Awaited<A>, I, B>,
): Promise<(Awaited<B> | null)[]>
declare function pipeline<I, A, B, C>(
  items: readonly I[],
  first: PipelineStage<I, I, A>,
  second: PipelineStage<Awaited<A>, I, B>,
  third: PipelineStage<Awaited<B>, I, C>,
): Promise<(Awaited<C> | null)[]>
declare function pipeline<I>(items: readonly I[], ...stages: PipelineStage<any, I, unknown>[]): Promise<any[]>

type PipelineStage<P, I, R> = (previous: P, originalItem: I, index: number) => R

/** Agents and logs from here on belong to this phase, until the next `phase()`. Inside a branch it holds for that branch alone. */
declare function phase(title: string): void

/** One line of narration in the run's log. Anything but a string is shown as JSON. */
declare function log(message: unknown): void

/**
 * Runs another workflow inline, by name or by `{ scriptPath }`, and resolves to what it returns.
 *
 * It shares this run's limits, budget and cancellation; its agents appear under a `▸ name` group. One level only.
 * An unknown name, a script that can't be parsed and a nested call throw ordinary errors: `try`/`catch` works.
 */
declare function workflow(nameOrRef: string | { scriptPath: string }, args?: JsonValue): Promise<any>

/** The run's budget in output tokens, shared with nested workflows. Replayed calls count as spent. */
declare const budget: {
  /** Null when none was set. */
  readonly total: number | null
  spent(): number
  /** `Infinity` when none was set. */
  remaining(): number
}

/** The caller's JSON value, deeply frozen; `undefined` when none was given. */
declare const args: any

/** Lines for the run's log. */
declare const console: {
  log(...data: unknown[]): void
  info(...data: unknown[]): void
  warn(...data: unknown[]): void
  error(...data: unknown[]): void
  debug(...data: unknown[]): void
}

/** Errors of the hooks. `fatal` ones pass through `parallel` and `pipeline`; ordinary ones become `null` there. */
interface WorkflowError extends Error {
  readonly name: 'WorkflowError'
  readonly code:
    | 'INVALID_ARGUMENT'
    | 'UNKNOWN_OPTION'
    | 'UNSUPPORTED_OPTION'
    | 'SCHEMA_INVALID'
    | 'AGENT_CAP'
    | 'ITEM_CAP'
    | 'BUDGET_EXCEEDED'
    | 'NESTED_WORKFLOW'
    | 'UNKNOWN_WORKFLOW'
    | 'SCRIPT_PARSE'
    | 'META_INVALID'
    | 'DETERMINISM'
    | 'RESULT_NOT_JSON'
    | 'AGENT_START'
    | 'STRUCTURED_OUTPUT'
    | 'CANCELLED'
  readonly fatal: boolean
}
