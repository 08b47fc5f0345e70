// What every lint gets to see, and how it says what it found.

import type { JsonValue, WorkflowMeta } from '../../../shared/index.ts'
import type { HookCall } from '../hook-calls.ts'
import type { MetaReading } from '../meta.ts'
import type { Scopes } from '../scopes.ts'
import type { Finding, SourceText } from '../source-text.ts'
import type { AnyNode, SyntaxTree } from '../syntax-tree.ts'

/** Judges a schema without running anything of the script. */
export type SchemaJudge = (schema: JsonValue) => { ok: true; notes: string[] } | { ok: false; errors: string[] }

export interface LintContext {
  readonly source: SourceText
  readonly tree: SyntaxTree
  readonly scopes: Scopes
  readonly meta: WorkflowMeta | null
  readonly reading: MetaReading
  readonly calls: readonly HookCall[]
  /** Names that `workflow()` may call; undefined when they are not known. */
  readonly workflows: readonly string[] | undefined
  readonly judgeSchema: SchemaJudge | undefined
  report(finding: Finding): void
}

export type Lint = (context: LintContext) => void

/** A finding over a whole node: an error where the run is sure to get there and to fail, else a warning. */
export function over(
  node: AnyNode,
  certain: boolean,
  code: string,
  message: string,
  more?: { hint?: string | undefined; fix?: Finding['fix'] },
): Finding {
  return {
    severity: certain ? 'error' : 'warning',
    code: `lint/${code}`,
    message,
    start: node.start,
    end: node.end,
    hint: more?.hint,
    fix: more?.fix,
  }
}
