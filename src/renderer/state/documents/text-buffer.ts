// Where an open file's text lives: plain at first, in an editor's model once one shows it.

export interface TextBuffer {
  getText(): string
  /** Replaces the text as one edit that can be undone. */
  setText(text: string): void
  dispose(): void
}

export function createPlainBuffer(text: string): TextBuffer {
  let current = text
  return {
    getText: () => current,
    setText: (next) => void (current = next),
    dispose: () => {},
  }
}
