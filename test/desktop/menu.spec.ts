import { expect, test } from '../support/app/fixtures.ts'
import type { DesktopApp } from '../support/electron/launch-desktop.ts'
import { WindowPage } from '../support/pages/window-page.ts'
import { addSample } from '../support/scenarios/samples.ts'

const isEnabled = ({ electron }: DesktopApp, label: string): Promise<boolean | undefined> =>
  electron.evaluate(({ Menu }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap((menu) => menu.submenu?.items ?? []) ?? []
    return items.find((item) => item.label === wanted)?.enabled
  }, label)

/** Picks an item by its label, as a click in the menu would. */
function pick({ electron }: DesktopApp, label: string): Promise<void> {
  return electron.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap((menu) => menu.submenu?.items ?? []) ?? []
    items.find((item) => item.label === wanted)?.click(undefined, BrowserWindow.getAllWindows()[0], undefined)
  }, label)
}

test('the menu does what the page offers', async ({ home, launchInWindow }) => {
  addSample(home)
  const app = await launchInWindow()
  const window = new WindowPage(app.page)
  await expect.poll(() => isEnabled(app, 'Cancel run')).toBe(false)
  await window.openWorkflow('two-steps')
  await expect.poll(() => isEnabled(app, 'Dry run')).toBe(true)
  await pick(app, 'Dry run')
  await expect(window.run.status.first()).toContainText('completed, 3 agents')
  await pick(app, 'Command palette')
  await expect(app.page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
  await app.page.keyboard.press('Escape')
  await pick(app, 'Close tab')
  await expect(app.page.getByRole('tab')).toHaveCount(1)
})

test('Open File shows the file that the user picks in a tab', async ({ home, launchInWindow }) => {
  const app = await launchInWindow()
  const file = home.addFile('aside/alone.js', "export const meta = { name: 'alone', description: 'By itself.' }\n")
  await app.electron.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  }, file)
  await pick(app, 'Open File…')
  await expect(new WindowPage(app.page).tab('alone.js')).toHaveAttribute('aria-selected', 'true')
})

test('Open Folder opens the folder that the user picks in a window of its own', async ({ home, launchInWindow }) => {
  const app = await launchInWindow()
  home.addFile('elsewhere/workflows/other.js', "export const meta = { name: 'other', description: 'Elsewhere.' }\n")
  await app.electron.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [folder] })
  }, `${home.workspace}/elsewhere`)
  const opened = app.electron.waitForEvent('window')
  await pick(app, 'Open Folder…')
  const page = await opened
  await expect(new WindowPage(page).workflow('other')).toBeVisible()
})
