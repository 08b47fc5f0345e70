// The views of whoever writes a workflow, each brought about by hand and pictured.

import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import type { WindowPage } from '../../test/support/pages/window-page.ts'
import type { TakePicture } from './camera.ts'
import { RELEASE_NOTES } from './workspace.ts'

export async function pictureAuthoring(window: WindowPage, picture: TakePicture, workspace: string): Promise<void> {
  const { page, editor } = window
  // The sample that a first start opens.
  for (const tab of await page.getByRole('tab').all()) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await tab.focus()
    // oxlint-disable-next-line no-await-in-loop -- as above
    await page.keyboard.press('Delete')
  }
  await expect(page.getByText('Open a workflow to begin')).toBeVisible()
  await picture('welcome')

  await window.workflows.getByRole('button', { name: 'New workflow', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New workflow' })
  await dialog.getByLabel('Name').fill('check-translations')
  await dialog.getByRole('radio', { name: 'Pipeline' }).check()
  await picture('new-workflow')
  await page.keyboard.press('Escape')

  await window.openWorkflow('release-notes')
  await editor.replaceText(
    RELEASE_NOTES.replace("label: 'commits',", "lable: 'commits',").replace(
      'return notes.',
      'const at = Date.now()\nreturn notes.',
    ),
  )
  await page.keyboard.press('ControlOrMeta+Home')
  await expect(window.problems.item('Date.now')).toBeVisible()
  await picture('problems')
  await pictureConflict(window, picture, workspace)

  // The bundled one is there too, shadowed.
  await window.workflows.getByRole('button', { name: 'review-diff', exact: true }).click()
  await editor.waitUntilReady()
  await expect(window.problems.region).toContainText('No problems')
  await picture('editor')
  await window.chooseCommand('Dry run options…')
  const options = page.getByRole('dialog', { name: /^Dry run options/ })
  await options.getByLabel('Failing calls (%)').fill('20')
  await picture('dry-run-options')
  await page.keyboard.press('Escape')
  await editor.dryRun()
  await expect(window.run.plan).toBeVisible()
  await picture('dry-run')
}

/** The file changes on disk while there is unsaved text of it. */
async function pictureConflict(window: WindowPage, picture: TakePicture, workspace: string): Promise<void> {
  writeFileSync(
    join(workspace, 'workflows/release-notes.js'),
    RELEASE_NOTES.replace('in a sentence what users notice', 'in at most 15 words what users notice'),
  )
  await window.editor.save()
  await window.page.getByRole('button', { name: 'Compare' }).first().click()
  await expect(window.page.locator('.monaco-diff-editor')).toContainText('15 words')
  await expect(window.page.locator('.monaco-diff-editor .line-insert').first()).toBeVisible()
  await picture('conflict')
  await window.page.getByRole('button', { name: 'Take theirs' }).click()
}

/** `folders`: what stands in the picture for the folders of whoever takes it. */
export async function pictureSettings(
  window: WindowPage,
  picture: TakePicture,
  folders: readonly [string, string][],
): Promise<void> {
  await window.chooseCommand('Settings')
  await expect(window.settings.field('Agents at once')).toBeVisible()
  // The folder of whoever takes the pictures is nobody's business; this is where it is by default.
  await window.page
    .getByText(/[\\/]settings\.json$/)
    .first()
    .evaluate((path) => (path.textContent = '~/.local/share/weft/settings.json'))
  await picture('settings')
  const section = window.page.getByRole('region', { name: 'Connections' })
  await section.getByRole('button', { name: 'Connect Codex for you' }).click()
  await expect(section.getByLabel('Changes')).toContainText('+ [mcp_servers.weft]')
  await section.evaluate((element, replaced) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const [folder, shown] of replaced) text.textContent = text.textContent?.replaceAll(folder, shown) ?? ''
    element.scrollIntoView()
  }, folders)
  await picture('connections')
  await window.chooseCommand('Keyboard shortcuts')
  await expect(window.page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await picture('shortcuts')
  await window.page.keyboard.press('Escape')
}
