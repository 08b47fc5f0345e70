import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import { buildTrayMenu, type TrayActions } from '../../../src/main/runs/tray-menu.ts'
import { makeRow } from '../../support/main/rows.ts'

function build(live: Parameters<typeof buildTrayMenu>[0]) {
  const done: string[] = []
  const actions: TrayActions = {
    openApp: () => void done.push('open-app'),
    openRun: (row) => void done.push(`open ${row.runId}`),
    pause: (row) => void done.push(`pause ${row.runId}`),
    continue: (row) => void done.push(`continue ${row.runId}`),
    cancel: (row) => void done.push(`cancel ${row.runId}`),
    quit: () => void done.push('quit'),
  }
  return { items: buildTrayMenu(live, actions), done }
}

function clickAll(items: readonly MenuItemConstructorOptions[]): void {
  for (const item of items) {
    // Our items don't look at what Electron hands them.
    ;(item.click as (() => void) | undefined)?.()
    if (Array.isArray(item.submenu)) clickAll(item.submenu)
  }
}

test('each live run can be opened, paused or continued, and cancelled', () => {
  const { items, done } = build([
    { row: makeRow(), questions: [] },
    { row: makeRow({ id: 'r2', status: 'paused' }), questions: [] },
  ])
  clickAll(items)
  expect(done).toEqual(['open r1', 'pause r1', 'cancel r1', 'open r2', 'continue r2', 'cancel r2', 'open-app', 'quit'])
})

test('without live runs it says so and still leads back into the app', () => {
  const { items } = build([])
  expect(items.map((item) => item.label ?? item.type)).toEqual(['No live runs', 'separator', 'Open Weft', 'Quit Weft'])
})

test('more runs than fit are counted', () => {
  const { items } = build(Array.from({ length: 20 }, (_, at) => ({ row: makeRow({ id: `r${at}` }), questions: [] })))
  expect(items.map((item) => item.label)).toContain('5 more: open Weft to see them')
})
