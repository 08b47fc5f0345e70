// How every editor of the window is set up.

import { monaco } from './monaco.ts'

const LINE_HEIGHT = 20 / 13

export const EDITOR_OPTIONS = {
  automaticLayout: true,
  fixedOverflowWidgets: true,
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
} as const satisfies monaco.editor.IStandaloneEditorConstructionOptions

/** `fontSize` in pixels. */
export function fontOptions(fontSize: number): monaco.editor.IEditorOptions {
  const fontFamily = getComputedStyle(document.documentElement).getPropertyValue('--font-mono')
  // Widths are measured with whatever face is there at first.
  void document.fonts.load(`${fontSize}px "JetBrains Mono Variable"`).then(() => monaco.editor.remeasureFonts())
  return { fontFamily, fontSize, lineHeight: Math.round(fontSize * LINE_HEIGHT) }
}
