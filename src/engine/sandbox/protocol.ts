// What host and sandbox worker say to each other: one tag → payload map each way. Messages travel in batches, one a turn
// of the sender's event loop; a batch from the worker also says up to which host batch all consequences have happened.

import type { JsonObject, JsonValue, RunError, SourcePosition, WorkflowErrorCode } from '../../shared/index.ts'
import type { PositionMap } from '../engine.ts'

/** A prepared script as the worker takes it. */
export interface SandboxScript {
  /** 0 for the run's own script; nested workflows are numbered from 1. */
  group: number
  name: string
  /** As shown in errors. */
  fileName: string
  code: string
  positions: PositionMap
}

/** Absent `value` means `undefined`. */
export interface MaybeJson {
  value?: JsonValue
}

/** An error that a hook throws into the script. */
export interface ScriptFacingError {
  code: WorkflowErrorCode
  message: string
  fatal: boolean
}

export interface ScriptNotice {
  code: string
  message: string
  path?: string
  file?: string
  line?: number
  column?: number
}

export interface HostMessages {
  start: { script: SandboxScript; args: MaybeJson; budgetTotal: number | null; maxItems: number }
  /** `live` is false for an answer from an earlier run: it does not make the scope diverge. */
  answer: { call: number; value: JsonValue; live: boolean }
  refusal: { call: number; error: ScriptFacingError; live: boolean }
  /** The nested script that call number `call` asked for. */
  nested: { call: number; script: SandboxScript }
  cancel: { reason: string }
}

export interface WorkerMessages {
  /** Locked down; takes a `start`. */
  ready: object
  agent: {
    call: number
    path: string
    diverged: boolean
    group: number
    phase: string | null
    prompt: string
    /** As the script gave them, copied and checked for name and type. */
    options: JsonObject
    site?: SourcePosition
  }
  workflow: {
    call: number
    path: string
    group: number
    /** The caller's phase: the group is shown under it. */
    phase: string | null
    reference: string | { scriptPath: string }
    site?: SourcePosition
  }
  'workflow-done': { group: number; error?: RunError }
  phase: { title: string; group: number }
  log: {
    message: string
    level: 'log' | 'info' | 'warn' | 'error' | 'debug'
    source: 'log' | 'console'
    phase: string | null
    group: number
  }
  warning: ScriptNotice
  /** A promise was rejected and nobody listens; `unhandled-late` takes it back. */
  unhandled: { id: number; notice: ScriptNotice }
  'unhandled-late': { id: number }
  completed: { value: JsonValue }
  failed: { error: RunError }
}

type Tagged<Messages> = { [Tag in keyof Messages]: { type: Tag } & Messages[Tag] }[keyof Messages]

export type HostMessage = Tagged<HostMessages>
export type WorkerMessage = Tagged<WorkerMessages>
export type WorkerMessageOf<Tag extends keyof WorkerMessages> = { type: Tag } & WorkerMessages[Tag]

export interface HostBatch {
  seq: number
  /** What `budget.spent()` answers from now on. */
  spent: number
  messages: HostMessage[]
}

export interface WorkerBatch {
  /** The last host batch whose consequences are all in: the script's jobs have run dry since. */
  handled: number
  messages: WorkerMessage[]
}

/** What stands before the group's number in the name that V8 knows a script by. */
export const SCRIPT_URL_PREFIX = 'weft-script:'
