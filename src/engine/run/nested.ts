// Nested workflows on the host's side: finding the script, checking it, and the groups of the run tree.

import { asCallPath, type RunError, type WorkflowPhase } from '../../shared/index.ts'
import type { PreparedScript } from '../engine.ts'
import { ScriptRefusedError, WorkflowError } from '../errors.ts'
import type { ScriptText } from '../ports.ts'
import type { SandboxScript, ScriptFacingError, WorkerMessageOf } from '../sandbox/protocol.ts'
import { withClockHeld, type RunContext } from './context.ts'

/** Far above any sensible script; it keeps a loop over `workflow()` from filling the event log. */
const MAX_NESTED = 1000

type Prepare = (source: ScriptText) => Promise<PreparedScript>

export class NestedWorkflows {
  readonly #context: RunContext
  readonly #prepare: Prepare
  readonly #scripts = new Map<number, PreparedScript>()
  readonly #open = new Set<number>()
  #calls = 0
  #groups = 0

  constructor(context: RunContext, prepare: Prepare) {
    this.#context = context
    this.#prepare = prepare
    this.#scripts.set(0, context.options.script)
  }

  phasesOf(group: number): readonly WorkflowPhase[] {
    return this.#scripts.get(group)?.meta.phases ?? []
  }

  /** The script of a group; group 0 is the run's own. */
  scriptOf(group: number): PreparedScript | undefined {
    return this.#scripts.get(group)
  }

  /** The prepared script under its group's number, or why there is none. */
  async open(message: WorkerMessageOf<'workflow'>): Promise<{ script: SandboxScript } | { error: ScriptFacingError }> {
    if (++this.#calls > MAX_NESTED) {
      return refuse('AGENT_CAP', `workflow: at most ${MAX_NESTED.toLocaleString('en-US')} calls a run`, true)
    }
    try {
      const prepared = await withClockHeld(this.#context.clock, () => this.#find(message.reference))
      return { script: this.#begin(prepared, message) }
    } catch (error) {
      return { error: toOrdinary(error, nameOf(message.reference)) }
    }
  }

  close(group: number, error: RunError | undefined): void {
    if (!this.#open.delete(group)) return
    this.#context.log.emit('workflow-ended', {
      group,
      outcome: error === undefined ? 'completed' : 'failed',
      ...(error !== undefined && { error }),
    })
  }

  /** The run is over: what is still open will not go on. */
  closeAll(error: RunError): void {
    for (const group of [...this.#open].sort((a, b) => b - a)) this.close(group, error)
  }

  async #find(reference: string | { scriptPath: string }): Promise<PreparedScript> {
    const { script, ports } = this.#context.options
    if (reference === script.meta.name) throw selfCall(script.meta.name)
    const source = await ports.workflows.resolve(reference, script.source.path)
    if (source.path !== null && source.path === script.source.path) throw selfCall(script.meta.name)
    return this.#prepare(source)
  }

  #begin(prepared: PreparedScript, { path, phase, site }: WorkerMessageOf<'workflow'>): SandboxScript {
    const group = ++this.#groups
    const { meta, source, code, positions } = prepared
    this.#scripts.set(group, prepared)
    this.#open.add(group)
    this.#context.options.onNested?.(group, prepared)
    this.#context.log.emit('workflow-started', {
      group,
      name: meta.name,
      path: asCallPath(path),
      phase,
      fileName: source.fileName,
      ...(site !== undefined && { site }),
    })
    return { group, name: meta.name, fileName: source.fileName, code, positions }
  }
}

function selfCall(name: string): WorkflowError {
  return new WorkflowError('NESTED_WORKFLOW', `workflow "${name}" calls itself`)
}

function nameOf(reference: string | { scriptPath: string }): string {
  return typeof reference === 'string' ? reference : reference.scriptPath
}

function refuse(code: ScriptFacingError['code'], message: string, fatal: boolean): { error: ScriptFacingError } {
  return { error: { code, message, fatal } }
}

/** A script may catch whatever is wrong with a workflow that it calls. */
function toOrdinary(error: unknown, name: string): ScriptFacingError {
  if (error instanceof WorkflowError || error instanceof ScriptRefusedError) {
    return { code: error.code, message: `workflow "${name}": ${error.message}`, fatal: false }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'UNKNOWN_WORKFLOW', message: `workflow "${name}" could not be read: ${message}`, fatal: false }
}
