// Shortcuts as the user's keyboard shows them.

const onMac = /Mac|iPhone|iPad/.test(navigator.platform)

const MAC_SIGNS: Record<string, string> = {
  $mod: '⌘',
  Control: '⌃',
  PageUp: '⇞',
  PageDown: '⇟',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↩',
  ArrowLeft: '←',
  ArrowRight: '→',
}
const OTHER_WORDS: Record<string, string> = { $mod: 'Ctrl', Control: 'Ctrl', PageUp: 'Page Up', PageDown: 'Page Down' }

/** `$mod+Shift+P` as `Ctrl+Shift+P`, on a Mac as `⌘⇧P`. */
export function shortcutText(binding: string): string {
  const keys = binding
    .replace('Shift+?', '?')
    .split('+')
    .map((key) => (key.length === 1 ? key.toUpperCase() : key))
  return onMac
    ? keys.map((key) => MAC_SIGNS[key] ?? key).join('')
    : keys.map((key) => OTHER_WORDS[key] ?? key).join('+')
}
