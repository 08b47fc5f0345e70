// What a workflow says about itself: `export const meta = { … }`, read from the syntax tree, never evaluated.

export interface WorkflowPhase {
  title: string
  detail?: string
  /** Back end id for the agents of this phase that name none themselves. */
  provider?: string
  model?: string
}

export interface WorkflowMeta {
  name: string
  description: string
  whenToUse?: string
  phases?: WorkflowPhase[]
}

/** A point in the file as written, from 1. */
export interface SourcePosition {
  line: number
  column: number
}

/** A place in the file as written; lines and columns from 1, columns in UTF-16 units; the end is exclusive. */
export interface SourceRange {
  line: number
  column: number
  endLine: number
  endColumn: number
}

/** One finding about a script. `code` is stable, e.g. `meta/missing-field`, `lint/unknown-option`, `parse/syntax`. */
export interface Diagnostic extends SourceRange {
  severity: 'error' | 'warning' | 'info'
  code: string
  message: string
  /** What to do about it, where the message alone does not say. */
  hint?: string
  /** An edit that mends it: `text` takes the place of `range`. */
  fix?: { title: string; range: SourceRange; text: string }
}
