import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test } from 'vitest'
import { buildMenu, type MenuActions } from '../../src/main/menu.ts'

function build(platform: string) {
  const done: string[] = []
  const actions: MenuActions = {
    openFolder: () => void done.push('open-folder'),
    closeWindow: () => void done.push('close-window'),
    command: (command) => void done.push(command),
    showLogs: () => void done.push('show-logs'),
  }
  const items = buildMenu(actions, platform).flatMap((menu) => (Array.isArray(menu.submenu) ? menu.submenu : []))
  const click = (label: string): void => {
    const item = items.find((candidate) => candidate.label === label)
    // Our items don't look at what Electron hands them.
    const handler = item?.click as (() => void) | undefined
    if (handler === undefined) throw new Error(`no item ${label}`)
    handler()
  }
  return { items, done, click }
}

describe.each(['linux', 'win32', 'darwin'])('the menu on %s', (platform) => {
  test('hands each command to the page', () => {
    const { done, click } = build(platform)
    for (const label of ['Save', 'Close Tab', 'Dry run', 'Run…', 'Cancel run', 'Command palette…', 'Quick open…']) {
      click(label)
    }
    expect(done).toEqual(['save', 'close-tab', 'dry-run', 'run', 'cancel-run', 'command-palette', 'quick-open'])
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
    const menus: MenuItemConstructorOptions[] = buildMenu(
      { openFolder() {}, closeWindow() {}, command() {}, showLogs() {} },
      platform,
    )
    const roles = [...menus, ...build(platform).items].map((item) => item.role)
    // On a Mac the app's own menu, ready-made, holds it.
    expect(roles).toContain(platform === 'darwin' ? 'appMenu' : 'quit')
  })
})
