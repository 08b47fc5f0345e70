// One Monaco model a file, under the file's own address: its text, its undo history and its markers live and die together.

import type { Diagnostic } from '../../../shared/index.ts'
import type { TextBuffer } from '../../state/documents/text-buffer.ts'
import { languageOf, monaco } from '../../ui/monaco/monaco.ts'

const OWNER = 'weft'

const SEVERITIES: Record<Diagnostic['severity'], monaco.MarkerSeverity> = {
  error: monaco.MarkerSeverity.Error,
  warning: monaco.MarkerSeverity.Warning,
  info: monaco.MarkerSeverity.Info,
}

export interface ModelBuffer extends TextBuffer {
  readonly model: monaco.editor.ITextModel
}

/** `onChange` is called after each edit, by hand or by `setText`. */
export function createModelBuffer(path: string, fileName: string, text: string, onChange: () => void): ModelBuffer {
  const model = monaco.editor.createModel(text, languageOf(fileName), monaco.Uri.file(path))
  model.updateOptions({
    tabSize: 2,
    insertSpaces: true,
    bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
  })
  model.onDidChangeContent(onChange)
  return {
    model,
    getText: () => model.getValue(),
    setText(next) {
      model.pushStackElement()
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text: next }], () => null)
      // Edits take on the model's line ends; the new text's own are what is on disk.
      const { CRLF, LF } = monaco.editor.EndOfLineSequence
      model.pushEOL(next.includes('\r\n') ? CRLF : LF)
      model.pushStackElement()
    },
    edit({ line, column, endLine, endColumn }, next) {
      model.pushStackElement()
      const range = new monaco.Range(line, column, endLine, endColumn)
      model.pushEditOperations([], [{ range, text: next }], () => null)
      model.pushStackElement()
    },
    dispose: () => model.dispose(),
  }
}

export function showMarkers(model: monaco.editor.ITextModel, diagnostics: readonly Diagnostic[]): void {
  monaco.editor.setModelMarkers(
    model,
    OWNER,
    diagnostics.map(({ severity, code, message, hint, line, column, endLine, endColumn }) => ({
      severity: SEVERITIES[severity],
      code,
      message: hint === undefined ? message : `${message}\n${hint}`,
      source: OWNER,
      startLineNumber: line,
      startColumn: column,
      endLineNumber: endLine,
      endColumn,
    })),
  )
}
