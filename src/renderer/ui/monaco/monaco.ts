// Monaco, bundled: the editor, JavaScript, TypeScript and JSON, their workers as files of our own, and the hooks' types.
// What is wrong with a script is said by the engine's own checks, not by TypeScript: a top-level `return` is fine here.

import * as monaco from 'monaco-editor/editor'
import 'monaco-editor/features/register.all'
import { jsonDefaults } from 'monaco-editor/languages/features/json/register'
import {
  javascriptDefaults,
  ModuleKind,
  ScriptTarget,
  typescriptDefaults,
} from 'monaco-editor/languages/features/typescript/register'
import hookTypes from '../../../../types/workflow.d.ts?raw'
import { createWorker } from './monaco-workers.ts'
import { registerScriptLanguages } from './script-language.ts'

window.MonacoEnvironment = { getWorker: (_moduleId, label) => createWorker(label) }
registerScriptLanguages()

// `force` of TypeScript's ModuleDetectionKind, which Monaco does not name: each script is a world of its own, so that two
// open ones may both declare `meta`.
const MODULE_DETECTION_FORCE = 3

for (const defaults of [javascriptDefaults, typescriptDefaults]) {
  defaults.setCompilerOptions({
    allowNonTsExtensions: true,
    allowJs: true,
    target: ScriptTarget.ESNext,
    module: ModuleKind.ESNext,
    // No DOM and no Node: a script has neither.
    lib: ['esnext'],
    strict: true,
    moduleDetection: MODULE_DETECTION_FORCE,
  })
  defaults.setDiagnosticsOptions({
    noSemanticValidation: true,
    noSyntaxValidation: true,
    noSuggestionDiagnostics: true,
  })
  // What fixes there are comes with the engine's checks. Asking TypeScript too would hold every fix up until its worker has
  // loaded, and Monaco drops a request that waits when the next change comes. Its diagnostics find nothing, see above, but
  // have the worker load when a script is opened, and not only at the first completion.
  defaults.setModeConfiguration({ ...defaults.modeConfiguration, codeActions: false })
  defaults.addExtraLib(hookTypes, 'file:///weft/workflow.d.ts')
}
jsonDefaults.setDiagnosticsOptions({ validate: true, allowComments: false })

export { monaco }

const LANGUAGES: Record<string, string> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  json: 'json',
}

export function languageOf(fileName: string): string {
  return LANGUAGES[fileName.split('.').at(-1) ?? ''] ?? 'plaintext'
}
