// The Monaco models of the open documents: one a file, made when an editor first shows it, gone with its tab.

import type { AppState } from '../../state/app-state.ts'
import { createModelBuffer, showMarkers, type ModelBuffer } from './model-buffer.ts'
import type { monaco } from '../../ui/monaco/monaco.ts'

export class EditorModels {
  readonly #app: AppState
  readonly #buffers = new Map<string, ModelBuffer>()
  readonly #listeners = new Set<(path: string) => void>()

  constructor(app: AppState) {
    this.#app = app
    app.documents.store.subscribe((documents) => {
      for (const [path, { model }] of this.#buffers) {
        const known = documents.get(path)
        if (known === undefined) this.#forget(path)
        else showMarkers(model, known.diagnostics)
      }
    })
  }

  /** The model of an open document. */
  of(path: string): monaco.editor.ITextModel {
    const known = this.#buffers.get(path)
    if (known !== undefined) return known.model
    const { documents } = this.#app
    const file = documents.get(path)
    const buffer = createModelBuffer(path, file?.fileName ?? path, documents.textOf(path), () =>
      documents.textChanged(path),
    )
    this.#buffers.set(path, buffer)
    // From here on the document owns the buffer and disposes of it with its tab.
    documents.attach(path, buffer)
    showMarkers(buffer.model, file?.diagnostics ?? [])
    return buffer.model
  }

  /** The path of the document that a model belongs to. */
  pathOf(model: monaco.editor.ITextModel): string | undefined {
    for (const [path, buffer] of this.#buffers) if (buffer.model === model) return path
    return undefined
  }

  /** Tells of each document that is closed. Returns the function that ends it. */
  onClosed(listener: (path: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #forget(path: string): void {
    this.#buffers.delete(path)
    for (const listener of this.#listeners) listener(path)
  }
}

const known = new WeakMap<AppState, EditorModels>()

/** The window's models: editors and comparisons share them. */
export function modelsOf(app: AppState): EditorModels {
  const models = known.get(app) ?? new EditorModels(app)
  known.set(app, models)
  return models
}
