// Where an open file's text lives: plain at first, in an editor's model once one shows it.

import type { SourceRange } from '../../../shared/index.ts'

export interface TextBuffer {
  getText(): string
  /** Replaces the text as one edit that can be undone. */
  setText(text: string): void
  /** Replaces a range by a text, as one edit that can be undone. */
  edit(range: SourceRange, text: string): void
  dispose(): void
}

export function createPlainBuffer(text: string): TextBuffer {
  let current = text
  return {
    getText: () => current,
    setText: (next) => void (current = next),
    edit: ({ line, column, endLine, endColumn }, next) => {
      const lines = current.split('\n')
      const offsetOf = (at: number, place: number): number =>
        lines.slice(0, at - 1).reduce((sum, { length }) => sum + length + 1, place - 1)
      current = current.slice(0, offsetOf(line, column)) + next + current.slice(offsetOf(endLine, endColumn))
    },
    dispose: () => {},
  }
}
