import { expect, test } from '../support/app/fixtures.ts'
import { callHost } from '../support/electron/call-host.ts'
import { addSample } from '../support/scenarios/samples.ts'
import * as window from '../support/scenarios/window.ts'

test('a window shows the host that owns the data folder already, and becomes the host when that one ends', async ({
  home,
  launchInBrowser,
  launchInWindow,
}) => {
  addSample(home)
  const served = await launchInBrowser()
  const app = await launchInWindow()
  const hostPid = async () => (await callHost(app.electron, 'host.status'))?.pid
  expect(await hostPid()).toBe(served.pid)
  await window.openWorkflow(app.page, 'two-steps')

  await served.close()
  await expect.poll(hostPid).toBe(app.electron.process().pid)
  await expect(window.workflows(app.page).getByRole('button', { name: 'two-steps' })).toBeVisible()
})
