// The checker: scripts are parsed and values judged in worker threads, each within its time, so that neither a hostile
// source nor a hostile schema ever holds up the host.

import type { Diagnostic, JsonObject, JsonValue, WorkflowMeta } from '../../shared/index.ts'
import { isJsonObject } from '../../shared/index.ts'
import type { PreparedScript } from '../engine.ts'
import { ScriptRefusedError } from '../errors.ts'
import type { Logger, ScriptText, StructuredVerdict } from '../ports.ts'
import { isRefusal } from '../script/refusal.ts'
import { canonicalOf } from './canonical-schema.ts'
import { excessOf, MAX_VALUE_DEPTH } from './depth.ts'
import type { Jobs, SchemaVerdict } from './protocol.ts'
import { WorkerLane, type JobOutcome } from './worker-lane.ts'

export interface CheckerOptions {
  /** The worker's file: check/worker.ts or its bundle. */
  file: string | URL
  /** How long one job may take, in milliseconds. */
  timeoutMs: number
  /** Old space of each worker. Default 256 MiB. */
  memoryMiB?: number
  logger?: Logger
}

export interface Checker {
  /** Rejects with ScriptRefusedError for what can't run, also when it took too long to find out. */
  prepare(source: ScriptText): Promise<PreparedScript>
  /** Every finding. `known` are names that `workflow()` may call. Never rejects for what the script is. */
  diagnose(
    source: ScriptText,
    known?: readonly string[],
  ): Promise<{ meta: WorkflowMeta | null; diagnostics: Diagnostic[] }>
  /** One compilation a schema, by its canonical JSON. The schema is left unchanged. */
  compileSchema(schema: JsonObject | boolean): Promise<SchemaVerdict>
  /** The schema object is not to be changed between calls. `wrapped`: the value is for the schema's `objectSchema`; the verdict's value is unwrapped. */
  validate(schema: JsonObject | boolean, value: JsonValue, form: 'plain' | 'wrapped'): Promise<StructuredVerdict>
  /** Ends the workers. Calls under way and later ones reject. */
  dispose(): Promise<void>
}

export function createChecker(options: CheckerOptions): Checker {
  return new WorkerChecker(options)
}

const MAX_VERDICTS = 200

class WorkerChecker implements Checker {
  readonly #seconds: string
  /** Apart, so that no schema keeps an editor waiting for its findings. */
  readonly #scripts: WorkerLane
  readonly #values: WorkerLane
  /** Verdicts as JSON text: each caller gets a copy of its own. */
  readonly #verdicts = new Map<string, Promise<string>>()
  /** A run judges all its answers by a few schemas: each is written out once. */
  readonly #keys = new WeakMap<JsonObject, ReturnType<typeof canonicalOf>>()

  constructor({ file, timeoutMs, memoryMiB = 256, logger }: CheckerOptions) {
    this.#seconds = `${timeoutMs / 1000} s`
    const lane = { file, timeoutMs, memoryMiB, maxWorkers: 2, logger }
    this.#scripts = new WorkerLane(lane)
    this.#values = new WorkerLane(lane)
    // Whoever makes a checker has a script to show it; not at once, so that what is made beside it goes on first.
    setTimeout(() => this.#scripts.warmUp(), 0).unref()
  }

  async prepare(source: ScriptText): Promise<PreparedScript> {
    const { prepared, diagnostics } = await this.#analyze(source, undefined)
    // The caller's own object, not the copy that came back.
    if (prepared !== undefined) return { ...prepared, source }
    const first = diagnostics.find(isRefusal)
    const code = first?.code.startsWith('meta/') ? 'META_INVALID' : 'SCRIPT_PARSE'
    throw new ScriptRefusedError(code, source.fileName, diagnostics)
  }

  async diagnose(
    source: ScriptText,
    known?: readonly string[],
  ): Promise<{ meta: WorkflowMeta | null; diagnostics: Diagnostic[] }> {
    const { meta, diagnostics } = await this.#analyze(source, known)
    return { meta, diagnostics }
  }

  async compileSchema(schema: JsonObject | boolean): Promise<SchemaVerdict> {
    const key = canonicalOf(schema)
    if (!key.ok) return { ok: false, errors: [key.error] }
    let text = this.#verdicts.get(key.text)
    if (text === undefined) {
      text = this.#compile(key.text)
      this.#verdicts.set(key.text, text)
      const [oldest] = this.#verdicts.keys()
      if (this.#verdicts.size > MAX_VERDICTS && oldest !== undefined) this.#verdicts.delete(oldest)
    }
    // Written by #compile.
    return JSON.parse(await text) as SchemaVerdict
  }

  async validate(
    schema: JsonObject | boolean,
    value: JsonValue,
    form: 'plain' | 'wrapped',
  ): Promise<StructuredVerdict> {
    const key = this.#keyOf(schema)
    if (!key.ok) return { ok: false, errors: [key.error] }
    const excess = excessOf(value, MAX_VALUE_DEPTH)
    if (excess !== undefined) return { ok: false, errors: [`invalid: ${excess}`] }
    const outcome = await this.#values.run('validate', { schema: key.text, value, form })
    if (outcome.kind !== 'done') return { ok: false, errors: [this.#explain('validation', outcome)] }
    const { result } = outcome
    if (!result.ok) return result
    return { ok: true, value: result.unwrap && isJsonObject(value) ? (value['value'] ?? null) : value }
  }

  async dispose(): Promise<void> {
    await Promise.all([this.#scripts.dispose(), this.#values.dispose()])
  }

  #keyOf(schema: JsonObject | boolean): ReturnType<typeof canonicalOf> {
    if (typeof schema === 'boolean') return canonicalOf(schema)
    let key = this.#keys.get(schema)
    if (key === undefined) this.#keys.set(schema, (key = canonicalOf(schema)))
    return key
  }

  async #compile(schema: string): Promise<string> {
    const outcome = await this.#values.run('compile', { schema })
    if (outcome.kind === 'done') return JSON.stringify(outcome.result)
    // Not kept: the next attempt may fare better.
    this.#verdicts.delete(schema)
    return JSON.stringify({ ok: false, errors: [this.#explain('compiling the schema', outcome)] })
  }

  async #analyze(script: ScriptText, workflows: readonly string[] | undefined): Promise<Jobs['analyze']['result']> {
    const excess = excessOf(script.meta, MAX_VALUE_DEPTH)
    if (excess !== undefined) return failedAnalysis('meta/too-deep', `meta is ${excess}`)
    const outcome = await this.#scripts.run('analyze', { script, workflows })
    if (outcome.kind === 'done') return outcome.result
    const code = outcome.kind === 'timeout' ? 'parse/timeout' : 'parse/failed'
    return failedAnalysis(code, this.#explain('checking the script', outcome))
  }

  /** Rejects when the checker was disposed: there is nothing to say of what was given. */
  #explain(what: string, outcome: Exclude<JobOutcome<never>, { kind: 'done' }>): string {
    switch (outcome.kind) {
      case 'timeout':
        return `${what} timed out after ${this.#seconds}`
      case 'crashed':
        return `${what} failed: ${outcome.reason}`
      case 'disposed':
        throw new Error(`${what} was given up: the checker has been disposed`)
    }
  }
}

function failedAnalysis(code: string, message: string): Jobs['analyze']['result'] {
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 }
  return { meta: null, diagnostics: [{ ...place, severity: 'error', code, message }], prepared: undefined }
}
