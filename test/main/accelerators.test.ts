import { expect, test } from 'vitest'
import { toAccelerator } from '../../src/main/accelerators.ts'
import { WINDOW_COMMANDS } from '../../src/shared/index.ts'

test.each([
  ['$mod+s', 'CmdOrCtrl+S'],
  ['$mod+Shift+p', 'CmdOrCtrl+Shift+P'],
  ['Control+PageDown', 'Ctrl+PageDown'],
  ['Shift+F8', 'Shift+F8'],
  ['Alt+ArrowLeft', 'Alt+Left'],
  ['$mod+KeyK', 'CmdOrCtrl+K'],
  ['$mod++', 'CmdOrCtrl+Plus'],
  ['$mod+,', 'CmdOrCtrl+,'],
  ['$mod+k $mod+s', undefined],
])('%s is %s in a menu', (shortcut, accelerator) => {
  expect(toAccelerator(shortcut)).toBe(accelerator)
})

test('every shortcut of the window becomes one that Electron knows', () => {
  const known =
    /^((CmdOrCtrl|Ctrl|Cmd|Shift|Alt)\+)*([A-Z0-9]|F\d\d?|[^\w\s]|Enter|Page(Up|Down)|Up|Down|Left|Right|Home|End|Escape|Delete|Backspace|Tab|Space|Plus)$/
  const shortcuts = WINDOW_COMMANDS.flatMap(({ shortcut }) => (shortcut === undefined ? [] : [toAccelerator(shortcut)]))
  expect(shortcuts.filter((accelerator) => accelerator !== undefined && !known.test(accelerator))).toEqual([])
})
