// Shortcuts as the page's library writes them, in the words of Electron's menus.

const KEYS: Readonly<Record<string, string>> = {
  $mod: 'CmdOrCtrl',
  Control: 'Ctrl',
  Meta: 'Cmd',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Enter: 'Enter',
  Space: 'Space',
  Comma: ',',
  Period: '.',
  Slash: '/',
  Backslash: '\\',
  Backquote: '`',
  '+': 'Plus',
}

/** `$mod+Shift+p` as `CmdOrCtrl+Shift+P`; undefined for a sequence of keys, which a menu can't show. */
export function toAccelerator(shortcut: string): string | undefined {
  if (shortcut.includes(' ')) return undefined
  return shortcut
    .split(/(?<=[^+])\+/)
    .map((key) => KEYS[key] ?? (key.length === 1 ? key.toUpperCase() : key.replace(/^(?:Key|Digit)(?=.$)/, '')))
    .join('+')
}
