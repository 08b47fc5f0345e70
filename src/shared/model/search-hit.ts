// A text of a run in which all words of a search were found.

import type { AgentNumber, RunId } from './ids.ts'

export interface SearchHit {
  runId: RunId
  kind: 'prompt' | 'result' | 'log' | 'return'
  /** Of a prompt or a result. */
  agent: AgentNumber | null
  /** Of a log line. */
  seq: number | null
  /** One line with the first match in it. */
  snippet: string
}
