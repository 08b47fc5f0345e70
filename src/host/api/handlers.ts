// The shape of a call's handler. To add a call: its schema and result in shared/contract, its handler in its group here.

import type { HostCallName, HostCalls, RunId } from '../../shared/index.ts'
import type { SessionIdentity } from '../host.ts'

/** The session that a call came in by. */
export interface Caller {
  readonly identity: SessionIdentity
  /** Aborted when the session closes. */
  readonly signal: AbortSignal
  /** Begins to deliver `run.events`; a watch of the same run is replaced. Returns the last stored number. */
  watchRun(runId: RunId, fromSeq: number): number
  unwatchRun(runId: RunId): void
  /** From now on it counts as one that answers what agents ask leave for. */
  answerQuestions(): void
  /** Begins to deliver `workflows.changed`, if anyone listens. */
  watchWorkflows(workspace: string): void
}

/** Parameters have been validated; a rejection becomes the error of the reply. */
export type HostCallHandlers = {
  [Name in HostCallName]: (
    params: HostCalls[Name]['params'],
    caller: Caller,
  ) => Promise<HostCalls[Name]['result']> | HostCalls[Name]['result']
}
