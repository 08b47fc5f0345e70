// JavaScript and TypeScript as Monaco knows them, with the workflow hooks standing out.

import * as monaco from 'monaco-editor/editor'
import { conf, language as javascript } from 'monaco-editor/languages/definitions/javascript/javascript'
import { language as typescript } from 'monaco-editor/languages/definitions/typescript/typescript'

const HOOK_CALL = /(?:agent|parallel|pipeline|phase|log|workflow)(?=\s*\()/

/** Registers both languages; their editing features come with the TypeScript service. */
export function registerScriptLanguages(): void {
  const languages = [
    { id: 'javascript', extensions: ['.js', '.mjs', '.cjs'], aliases: ['JavaScript'], definition: javascript },
    { id: 'typescript', extensions: ['.ts', '.mts'], aliases: ['TypeScript'], definition: typescript },
  ]
  for (const { definition, ...language } of languages) {
    monaco.languages.register(language)
    monaco.languages.setLanguageConfiguration(language.id, conf)
    monaco.languages.setMonarchTokensProvider(language.id, {
      ...definition,
      tokenizer: {
        ...definition.tokenizer,
        common: [[HOOK_CALL, 'hook'], ...(definition.tokenizer['common'] ?? [])],
      },
    })
  }
}
