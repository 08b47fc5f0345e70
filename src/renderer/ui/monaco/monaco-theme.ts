// Monaco's colours, taken from the window's own tokens, so that there is one palette.

import type { Theme } from '../../state/settings/theme.ts'
import { monaco } from './monaco.ts'

const EDITOR_COLOURS: Record<string, string> = {
  'editor.background': '--surface-base',
  'editor.foreground': '--text',
  'editor.lineHighlightBackground': '--editor-line',
  'editor.selectionBackground': '--editor-selection',
  'editor.wordHighlightBackground': '--surface-hover',
  'editor.wordHighlightStrongBackground': '--surface-hover',
  'editor.wordHighlightTextBackground': '--surface-hover',
  'editorBracketMatch.background': '--surface-hover',
  'editorBracketMatch.border': '--border-strong',
  'editorLineNumber.foreground': '--text-faint',
  'editorLineNumber.activeForeground': '--text',
  'editorCursor.foreground': '--accent-text',
  'diffEditor.insertedLineBackground': '--tint-completed',
  'diffEditor.removedLineBackground': '--tint-failed',
  'diffEditor.diagonalFill': '--border',
  'editorIndentGuide.background1': '--editor-guide',
  'editorIndentGuide.activeBackground1': '--border-strong',
  'editorWidget.background': '--surface-raised',
  'editorWidget.border': '--border-strong',
  'editorHoverWidget.background': '--surface-raised',
  'editorHoverWidget.border': '--border-strong',
  'editorSuggestWidget.background': '--surface-raised',
  'editorSuggestWidget.border': '--border-strong',
  'editorSuggestWidget.selectedBackground': '--surface-selected',
  'editorSuggestWidget.selectedForeground': '--text',
  'editorSuggestWidget.highlightForeground': '--accent-text',
  'editorSuggestWidget.focusHighlightForeground': '--accent-text',
  'editorError.foreground': '--status-failed',
  'editorWarning.foreground': '--status-cancelled',
  'editorInfo.foreground': '--status-running',
  'editorOverviewRuler.errorForeground': '--status-failed',
  'editorOverviewRuler.warningForeground': '--status-cancelled',
  'editorOverviewRuler.border': '--surface-base',
  'scrollbarSlider.background': '--scroll-thumb',
  'scrollbarSlider.hoverBackground': '--scroll-thumb-hover',
  'scrollbarSlider.activeBackground': '--scroll-thumb-hover',
  'input.background': '--surface-field',
  'input.border': '--border-strong',
  'list.hoverBackground': '--surface-hover',
  focusBorder: '--focus',
}

const SYNTAX_COLOURS: Record<string, string> = {
  '': '--text',
  comment: '--syntax-comment',
  hook: '--syntax-function',
  keyword: '--syntax-keyword',
  string: '--syntax-string',
  'string.key.json': '--syntax-function',
  'string.value.json': '--syntax-string',
  number: '--syntax-number',
  regexp: '--syntax-regexp',
  type: '--syntax-type',
  'type.identifier': '--syntax-type',
  identifier: '--text',
  delimiter: '--text-dim',
}

/** Defines and uses Monaco's theme from the tokens as they apply now. */
export function applyMonacoTheme(theme: Theme): void {
  const tokens = getComputedStyle(document.documentElement)
  const colourOf = (token: string): string => longHex(tokens.getPropertyValue(token).trim())
  const name = `weft-${theme}`
  monaco.editor.defineTheme(name, {
    base: theme === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    colors: mapValues(EDITOR_COLOURS, colourOf),
    rules: Object.entries(SYNTAX_COLOURS).map(([token, variable]) => ({
      token,
      foreground: colourOf(variable).replace('#', ''),
    })),
  })
  monaco.editor.setTheme(name)
}

/** Three hex digits as six: the build shortens colours, Monaco takes only long ones. */
function longHex(colour: string): string {
  return /^#[\da-f]{3}$/i.test(colour) ? colour.replace(/[\da-f]/gi, '$&$&') : colour
}

function mapValues(record: Record<string, string>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
