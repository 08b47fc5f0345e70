// An open file as the window shows it. Its text is in a TextBuffer; this is what is known about the text.

import type { Diagnostic, WorkflowFile, WorkflowMeta } from '../../../shared/index.ts'

export interface OpenDocument {
  path: string
  fileName: string
  writable: boolean
  /** Hash of the text on disk that the edit began from. */
  hash: string
  dirty: boolean
  saving: boolean
  meta: WorkflowMeta | null
  diagnostics: readonly Diagnostic[]
  /** Why there are no diagnostics, when the check itself failed. */
  checkError: string | null
  /** The file as someone else left it on disk, while this text is dirty. */
  conflict: WorkflowFile | null
}

export function openedDocument(file: WorkflowFile): OpenDocument {
  return {
    path: file.path,
    fileName: file.fileName,
    writable: file.writable,
    hash: file.hash,
    dirty: false,
    saving: false,
    meta: null,
    diagnostics: [],
    checkError: null,
    conflict: null,
  }
}

/** Errors first, then by place. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const rank = { error: 0, warning: 1, info: 2 }
  return [...diagnostics].sort((a, b) => rank[a.severity] - rank[b.severity] || a.line - b.line || a.column - b.column)
}
