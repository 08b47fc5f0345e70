// What the editor offers beyond the language itself: fixes for what the checks found, patterns as snippets, the titles of
// phases, the names of workflows and the way to them.

import type { Diagnostic, WorkflowEntry } from '../../../shared/index.ts'
import type { AppState } from '../../state/app-state.ts'
import { PATTERNS, scriptOf, snippetOf } from '../../state/workflows/patterns.ts'
import { stemOf } from '../../state/workflows/workflow-names.ts'
import { modelsOf } from './editor-models.ts'
import { monaco } from '../../ui/monaco/monaco.ts'

const SCRIPTS = ['javascript', 'typescript']

/** `phase('` and `phase: '`, up to the cursor. */
const IN_PHASE = /\bphase\s*(?:\(|:)\s*(['"`])([^'"`]*)$/
const IN_WORKFLOW = /\bworkflow\s*\(\s*(['"`])([^'"`]*)$/
const WORKFLOW_CALL = /\bworkflow\s*\(\s*(['"`])([^'"`]+)\1/g

/** Registers it all for the window; the returned function takes it back. */
export function registerAuthorHelp(app: AppState): () => void {
  const ends = [
    monaco.languages.registerCodeActionProvider([...SCRIPTS, 'json'], {
      provideCodeActions: (model, range) => ({ actions: findFixes(app, model, range), dispose: () => {} }),
    }),
    monaco.languages.registerCompletionItemProvider(SCRIPTS, {
      triggerCharacters: ["'", '"', '`'],
      provideCompletionItems: (model, position) => ({ suggestions: complete(app, model, position) }),
    }),
    monaco.languages.registerDefinitionProvider(SCRIPTS, {
      provideDefinition: (model, position) => findWorkflow(app, model, position),
    }),
    monaco.editor.registerEditorOpener({
      openCodeEditor(_source, resource, place) {
        const path = entries(app).find((entry) => monaco.Uri.file(entry.path).toString() === resource.toString())?.path
        if (path === undefined) return false
        void app.openFile(path, placeOf(place))
        return true
      },
    }),
  ]
  return () => {
    for (const end of ends) end.dispose()
  }
}

const entries = (app: AppState): readonly WorkflowEntry[] => app.workflows.store.getState().entries

function placeOf(place: monaco.IRange | monaco.IPosition | undefined): { line: number; column: number } {
  if (place === undefined) return { line: 1, column: 1 }
  return 'lineNumber' in place
    ? { line: place.lineNumber, column: place.column }
    : { line: place.startLineNumber, column: place.startColumn }
}

function toRange({
  line,
  column,
  endLine,
  endColumn,
}: Omit<Diagnostic, 'severity' | 'code' | 'message'>): monaco.Range {
  return new monaco.Range(line, column, endLine, endColumn)
}

function findFixes(app: AppState, model: monaco.editor.ITextModel, range: monaco.Range): monaco.languages.CodeAction[] {
  const path = modelsOf(app).pathOf(model)
  const diagnostics = path === undefined ? [] : (app.documents.get(path)?.diagnostics ?? [])
  return diagnostics.flatMap(({ fix, ...diagnostic }) => {
    const at = toRange(diagnostic)
    if (fix === undefined || !monaco.Range.areIntersectingOrTouching(at, range)) return []
    return {
      title: fix.title,
      kind: 'quickfix',
      isPreferred: true,
      diagnostics: monaco.editor
        .getModelMarkers({ resource: model.uri })
        .filter((marker) => monaco.Range.equalsRange(marker, at)),
      edit: {
        edits: [
          {
            resource: model.uri,
            versionId: model.getVersionId(),
            textEdit: { range: toRange({ ...fix.range }), text: fix.text },
          },
        ],
      },
    }
  })
}

function complete(
  app: AppState,
  model: monaco.editor.ITextModel,
  position: monaco.Position,
): monaco.languages.CompletionItem[] {
  const before = model.getLineContent(position.lineNumber).slice(0, position.column - 1)
  const path = modelsOf(app).pathOf(model)
  if (path === undefined) return []
  const phase = IN_PHASE.exec(before)
  if (phase) {
    const titles = app.documents.get(path)?.meta?.phases ?? []
    return titles.map(({ title, detail }) => inString(position, phase[2] ?? '', title, detail))
  }
  const workflow = IN_WORKFLOW.exec(before)
  if (workflow) {
    const callable = entries(app).filter((entry) => entry.shadowedBy === null && entry.path !== path)
    return callable.map(({ name, description }) =>
      inString(position, workflow[2] ?? '', name, description ?? undefined),
    )
  }
  // Patterns begin a line.
  return /^\s*[\w-]*$/.test(before) ? completePatterns(model, position, path) : []
}

function inString(position: monaco.Position, typed: string, text: string, detail: string | undefined) {
  const { lineNumber, column } = position
  return {
    label: text,
    kind: monaco.languages.CompletionItemKind.Value,
    insertText: text,
    range: new monaco.Range(lineNumber, column - typed.length, lineNumber, column),
    ...(detail !== undefined && { detail }),
  }
}

function completePatterns(
  model: monaco.editor.ITextModel,
  position: monaco.Position,
  path: string,
): monaco.languages.CompletionItem[] {
  const { lineNumber, column } = position
  const typed = /[\w-]*$/.exec(model.getLineContent(lineNumber).slice(0, column - 1))?.[0] ?? ''
  const isNew = !/\bexport\s+const\s+meta\b/.test(model.getValue())
  return PATTERNS.map((pattern) => ({
    label: { label: pattern.id, description: 'pattern' },
    kind: monaco.languages.CompletionItemKind.Snippet,
    detail: pattern.title,
    documentation: pattern.description,
    // A file without meta gets the whole script.
    insertText: isNew ? scriptOf(pattern, stemOf(path)) : snippetOf(pattern),
    ...(!isNew && { insertTextRules: monaco.languages.CompletionItemInsertTextRule.InsertAsSnippet }),
    range: new monaco.Range(lineNumber, column - typed.length, lineNumber, column),
  }))
}

function findWorkflow(
  app: AppState,
  model: monaco.editor.ITextModel,
  position: monaco.Position,
): monaco.languages.Definition | null {
  const line = model.getLineContent(position.lineNumber)
  for (const match of line.matchAll(WORKFLOW_CALL)) {
    const end = match.index + match[0].length
    if (position.column - 1 < match.index || position.column - 1 > end) continue
    const entry = entries(app).find(({ name, shadowedBy }) => name === match[2] && shadowedBy === null)
    return entry === undefined ? null : { uri: monaco.Uri.file(entry.path), range: new monaco.Range(1, 1, 1, 1) }
  }
  return null
}
