// The one Monaco editor of the window. Switching tabs gives it another model; each file keeps its cursor and scroll place.

import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { AppState } from '../../state/app-state.ts'
import { useApp } from '../../ui/app-context.tsx'
import styles from './editor.module.css'
import { createModelBuffer, showMarkers, type ModelBuffer } from './model-buffer.ts'
import { applyMonacoTheme } from './monaco-theme.ts'
import { monaco } from './monaco.ts'

const FONT_SIZE = 13
const LINE_HEIGHT = 20

/** `path` is an open document's, or null while no file tab is active. */
export default function CodeEditor({ path }: { path: string | null }) {
  const app = useApp()
  const host = useRef<HTMLDivElement>(null)
  const editing = useRef<EditingSession>(null)
  const theme = useStore(app.theme.store, ({ theme: current }) => current)
  const document = useStore(app.documents.store, (documents) => (path === null ? undefined : documents.get(path)))
  const reveal = useStore(app.window, (state) => state.reveal)
  const isOpen = document !== undefined
  const writable = document?.writable ?? true

  useEffect(() => {
    if (host.current === null) return
    const session = new EditingSession(host.current, app)
    editing.current = session
    return () => session.dispose()
  }, [app])

  useEffect(() => applyMonacoTheme(theme), [theme])

  useEffect(() => {
    if (path !== null && isOpen) editing.current?.show(path, writable)
  }, [path, isOpen, writable])

  useEffect(() => {
    if (path !== null && reveal?.path === path && isOpen) editing.current?.reveal(reveal)
  }, [path, isOpen, reveal])

  return <div ref={host} className={styles['monaco']} />
}

class EditingSession {
  readonly #app: AppState
  readonly #editor: monaco.editor.IStandaloneCodeEditor
  readonly #buffers = new Map<string, ModelBuffer>()
  readonly #viewStates = new Map<string, monaco.editor.ICodeEditorViewState | null>()
  readonly #endDocuments: () => void
  #path: string | undefined

  constructor(host: HTMLElement, app: AppState) {
    this.#app = app
    const fonts = getComputedStyle(document.documentElement)
    this.#editor = monaco.editor.create(host, {
      model: null,
      automaticLayout: true,
      fixedOverflowWidgets: true,
      fontFamily: fonts.getPropertyValue('--font-mono'),
      fontSize: FONT_SIZE,
      lineHeight: LINE_HEIGHT,
      fontLigatures: false,
      minimap: { enabled: false },
      stickyScroll: { enabled: false },
      wordBasedSuggestions: 'off',
      scrollBeyondLastLine: false,
      renderLineHighlight: 'line',
      overviewRulerBorder: false,
      scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 8, useShadows: false },
      lineNumbersMinChars: 4,
      padding: { top: 8, bottom: 8 },
    })
    // Widths are measured with whatever face is there at first.
    void document.fonts.load(`${FONT_SIZE}px "JetBrains Mono Variable"`).then(() => monaco.editor.remeasureFonts())
    this.#endDocuments = app.documents.store.subscribe((documents) => {
      for (const [path, { model }] of this.#buffers) {
        const known = documents.get(path)
        if (known === undefined) this.#forget(path)
        else showMarkers(model, known.diagnostics)
      }
    })
  }

  show(path: string, writable: boolean): void {
    this.#editor.updateOptions({ readOnly: !writable, ariaLabel: path })
    if (this.#path === path) return
    if (this.#path !== undefined) this.#viewStates.set(this.#path, this.#editor.saveViewState())
    this.#path = path
    this.#editor.setModel(this.#bufferOf(path).model)
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
    this.#endDocuments()
    this.#editor.dispose()
  }

  #bufferOf(path: string): ModelBuffer {
    const known = this.#buffers.get(path)
    if (known !== undefined) return known
    const { documents } = this.#app
    const file = documents.get(path)
    const buffer = createModelBuffer(path, file?.fileName ?? path, documents.textOf(path), () =>
      documents.textChanged(path),
    )
    this.#buffers.set(path, buffer)
    // From here on the document owns the buffer and disposes of it with its tab.
    documents.attach(path, buffer)
    showMarkers(buffer.model, file?.diagnostics ?? [])
    return buffer
  }

  #forget(path: string): void {
    this.#buffers.delete(path)
    this.#viewStates.delete(path)
    if (this.#path === path) this.#path = undefined
  }
}
