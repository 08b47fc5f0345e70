// The closed sets of codes that a run's errors carry, and the shape in which an error crosses a process.

/** Codes of errors that a script sees (`error.code`). */
export type WorkflowErrorCode =
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

/** Codes of errors that end a run and that no script can catch. */
export type RunErrorCode =
  | WorkflowErrorCode
  | 'SCRIPT_ERROR'
  | 'SCRIPT_STUCK'
  | 'SCRIPT_WAITS'
  | 'SCRIPT_MEMORY'
  | 'INTERNAL'

/** Why an agent's attempt failed; decides what is retried and what pauses the run. */
export type FailureKind =
  | 'transient'
  | 'quota'
  | 'auth'
  | 'credit'
  | 'refused'
  | 'crashed'
  | 'stalled'
  | 'timeout'
  | 'schema'
  | 'budget'
  | 'other'

/** An error as it is stored and sent: position and stack are those of the author's file. */
export interface RunError {
  code: RunErrorCode
  message: string
  name?: string
  /** The file as the author knows it; a nested workflow's errors name that workflow's file. */
  file?: string
  line?: number
  column?: number
  stack?: string
}
