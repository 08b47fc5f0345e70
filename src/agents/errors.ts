// What back ends throw before any agent runs. What an agent does is never thrown: it is an AgentRunResult.

export type AgentsErrorCode =
  | 'FIXTURES_UNREADABLE'
  | 'FIXTURES_INVALID'
  | 'COMMAND_INVALID'
  | 'START_NOT_FOUND'
  | 'START_NOT_EXECUTABLE'
  | 'START_NO_FOLDER'
  | 'START_EXHAUSTED'
  | 'START_FAILED'
  | 'AGENT_TYPE'
  | 'WORKTREE_REFUSED'
  | 'WORKTREE_FAILED'
  | 'BRANCH_UNKNOWN'
  | 'BRANCH_UNMERGED'
  | 'WORKER_TIMEOUT'
  | 'WORKER_FAILED'
  | 'TASK_FAILED'

export class AgentsError extends Error {
  override readonly name = 'AgentsError'
  readonly code: AgentsErrorCode
  /** Every violation, when the error is about a document. */
  readonly violations: readonly string[]

  constructor(code: AgentsErrorCode, message: string, options?: ErrorOptions & { violations?: readonly string[] }) {
    super(message, options)
    this.code = code
    this.violations = options?.violations ?? []
  }
}

/** `code` of a system error such as ENOENT; undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
