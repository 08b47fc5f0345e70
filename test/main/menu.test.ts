import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test } from 'vitest'
import { buildMenu, type MenuActions, type MenuState } from '../../src/main/menu.ts'
import { WINDOW_COMMANDS } from '../../src/shared/index.ts'

function build(platform: string, state: Partial<MenuState> = {}) {
  const done: string[] = []
  const actions: MenuActions = {
    openFolder: () => void done.push('open-folder'),
    openFile: () => void done.push('open-file'),
    openRecent: (folder) => void done.push(`recent ${folder}`),
    clearRecent: () => void done.push('clear-recent'),
    closeWindow: () => void done.push('close-window'),
    command: (command) => void done.push(command),
    showLogs: () => void done.push('show-logs'),
    checkForUpdates: () => void done.push('check-for-updates'),
  }
  const menus = buildMenu(actions, { platform, recent: [], isEnabled: () => true, hasWindow: true, ...state })
  const items = allItems(menus)
  const click = (item: MenuItemConstructorOptions | undefined): void => {
    // Our items don't look at what Electron hands them.
    const handler = item?.click as (() => void) | undefined
    if (handler === undefined) throw new Error(`no such item: ${item?.label}`)
    handler()
  }
  return { items, done, click, find: (label: string) => items.find((item) => item.label === label) }
}

function allItems(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? allItems(item.submenu) : [])])
}

describe.each(['linux', 'win32', 'darwin'])('the menu on %s', (platform) => {
  test('holds every command of the window and hands each to the page', () => {
    const { items, done, click } = build(platform)
    for (const { id } of WINDOW_COMMANDS) click(items.find((item) => item.id === `command:${id}`))
    expect(done).toEqual(WINDOW_COMMANDS.map(({ id }) => id))
  })

  test('gives no shortcut to two items', () => {
    const shortcuts = build(platform).items.flatMap((item) => item.accelerator ?? [])
    expect(new Set(shortcuts).size).toBe(shortcuts.length)
    expect(shortcuts.length).toBeGreaterThan(6)
  })

  test('has no role whose own shortcut is one of ours', () => {
    // "close" comes with Ctrl+W, and the ready-made window menu holds it.
    const roles = build(platform).items.map((item) => item.role)
    expect(roles).not.toContain('close')
  })

  test('can be quit', () => {
    const roles = build(platform).items.map((item) => item.role)
    // On a Mac the app's own menu, ready-made, holds it.
    expect(roles).toContain(platform === 'darwin' ? 'appMenu' : 'quit')
  })
})

test('shows the shortcut of a command and leaves the key to the page', () => {
  expect(build('linux').find('Save')).toMatchObject({ accelerator: 'CmdOrCtrl+S', registerAccelerator: false })
})

test('greys what makes no sense, and without a window everything that needs one', () => {
  const some = build('linux', { isEnabled: (command) => command === 'save' })
  expect([some.find('Save')?.enabled, some.find('Dry run')?.enabled, some.find('Open File…')?.enabled]).toEqual([
    true,
    false,
    true,
  ])
  const none = build('linux', { hasWindow: false })
  const greyed = none.items.filter((item) => item.enabled === false).map((item) => item.label)
  expect(greyed).toEqual(expect.arrayContaining([...WINDOW_COMMANDS.map(({ title }) => title), 'Close Window']))
  expect(none.find('Open Folder…')?.enabled).not.toBe(false)
})

test('opens and forgets recent folders, whatever their names', () => {
  const { find, click, done } = build('linux', { recent: ['/work/R&D'] })
  click(find('R&&D – /work/R&&D'))
  click(find('Clear'))
  expect(done).toEqual(['recent /work/R&D', 'clear-recent'])
  expect(build('linux').find('Open Recent')?.enabled).toBe(false)
})
