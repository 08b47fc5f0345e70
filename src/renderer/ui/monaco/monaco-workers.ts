/* oxlint-disable import/default, import/no-named-as-default -- Vite, not the module, makes the default export of `?worker` */
// Monaco's workers as files of our own.

import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
import JsonWorker from 'monaco-editor/language/json/json.worker?worker'
import TypeScriptWorker from 'monaco-editor/language/typescript/ts.worker?worker'

/** `label` is what Monaco calls the language service. */
export function createWorker(label: string): Worker {
  if (label === 'json') return new JsonWorker()
  return label === 'typescript' || label === 'javascript' ? new TypeScriptWorker() : new EditorWorker()
}
