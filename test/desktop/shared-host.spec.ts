import { expect, test } from '../support/app/fixtures.ts'
import { callHost } from '../support/electron/call-host.ts'
import { WindowPage } from '../support/pages/window-page.ts'
import { addSample } from '../support/scenarios/samples.ts'

test('a window shows the host that owns the data folder already, and becomes the host when that one ends', async ({
  home,
  launchInBrowser,
  launchInWindow,
}) => {
  addSample(home)
  const served = await launchInBrowser()
  const app = await launchInWindow()
  const hostPid = async () => (await callHost(app.electron, 'host.status'))?.pid
  await expect.poll(hostPid).toBe(served.pid)
  const window = new WindowPage(app.page)
  await window.openWorkflow('two-steps')

  await served.close()
  await expect.poll(hostPid).toBe(app.electron.process().pid)
  await expect(window.workflow('two-steps')).toBeVisible()
})
