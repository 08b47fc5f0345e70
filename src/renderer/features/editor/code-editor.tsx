// The one Monaco editor of the window. Switching tabs gives it another model; each file keeps its cursor and scroll place.

import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { AppState } from '../../state/app-state.ts'
import { useApp } from '../../ui/app-context.tsx'
import styles from './editor.module.css'
import { registerAuthorHelp } from './author-help.ts'
import { EDITOR_OPTIONS, fontOptions } from '../../ui/monaco/editor-options.ts'
import { modelsOf, type EditorModels } from './editor-models.ts'
import { applyMonacoTheme } from '../../ui/monaco/monaco-theme.ts'
import { monaco } from '../../ui/monaco/monaco.ts'

/** `path` is an open document's, or null while no file tab is active. */
export default function CodeEditor({ path }: { path: string | null }) {
  const app = useApp()
  const host = useRef<HTMLDivElement>(null)
  const editing = useRef<EditingSession>(null)
  const theme = useStore(app.theme.store, ({ theme: current }) => current)
  const fontSize = useStore(app.preferences.store, (preferences) => preferences.fontSize)
  const document = useStore(app.documents.store, (documents) => (path === null ? undefined : documents.get(path)))
  const reveal = useStore(app.window, (state) => state.reveal)
  const isOpen = document !== undefined
  const writable = document?.writable ?? true

  useEffect(() => {
    if (host.current === null) return
    const session = new EditingSession(host.current, app)
    editing.current = session
    const endHelp = registerAuthorHelp(app)
    return () => {
      endHelp()
      session.dispose()
    }
  }, [app])

  useEffect(() => applyMonacoTheme(theme), [theme])
  useEffect(() => editing.current?.setFontSize(fontSize), [fontSize])

  useEffect(() => {
    if (path !== null && isOpen) editing.current?.show(path, writable)
  }, [path, isOpen, writable])

  useEffect(() => {
    if (path !== null && reveal?.path === path && isOpen) editing.current?.reveal(reveal)
  }, [path, isOpen, reveal])

  return <div ref={host} className={styles['monaco']} />
}

class EditingSession {
  readonly #models: EditorModels
  readonly #editor: monaco.editor.IStandaloneCodeEditor
  readonly #viewStates = new Map<string, monaco.editor.ICodeEditorViewState | null>()
  readonly #endClosed: () => void
  #path: string | undefined

  constructor(host: HTMLElement, app: AppState) {
    this.#models = modelsOf(app)
    this.#editor = monaco.editor.create(host, { ...EDITOR_OPTIONS, model: null })
    this.#endClosed = this.#models.onClosed((path) => {
      this.#viewStates.delete(path)
      if (this.#path === path) this.#path = undefined
    })
  }

  setFontSize(fontSize: number): void {
    this.#editor.updateOptions(fontOptions(fontSize))
  }

  show(path: string, writable: boolean): void {
    this.#editor.updateOptions({ readOnly: !writable, ariaLabel: path })
    if (this.#path === path) return
    if (this.#path !== undefined) this.#viewStates.set(this.#path, this.#editor.saveViewState())
    this.#path = path
    this.#editor.setModel(this.#models.of(path))
    const state = this.#viewStates.get(path)
    if (state) this.#editor.restoreViewState(state)
    if (!document.activeElement?.closest('[role="tablist"]')) this.#editor.focus()
  }

  reveal({ line, column }: { line: number; column: number }): void {
    this.#editor.setPosition({ lineNumber: line, column })
    this.#editor.revealPositionInCenterIfOutsideViewport({ lineNumber: line, column })
    this.#editor.focus()
  }

  dispose(): void {
    this.#endClosed()
    this.#editor.dispose()
  }
}
