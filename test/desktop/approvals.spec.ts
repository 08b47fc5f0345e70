import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from '../support/app/fixtures.ts'
import type { Home } from '../support/app/home.ts'
import { useAgent } from '../support/scenarios/samples.ts'
import { WindowPage } from '../support/pages/window-page.ts'
import { RpcClient } from '../support/tools/rpc-client.ts'

const bin = resolve(import.meta.dirname, '../../bin/weft.mjs')

/** A harness as it is configured: a bridge of its own to the host of the window. */
async function connect({ env, dataDir, workspace }: Home): Promise<{ rpc: RpcClient; end: () => void }> {
  const args = [bin, '--data-dir', dataDir, 'mcp', '--workspace', workspace]
  const bridge = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const rpc = new RpcClient(bridge.stdout, bridge.stdin)
  await rpc.initialize('codex')
  return { rpc, end: () => void bridge.stdin.end() }
}

const script = (value: number): string => `export const meta = {
  name: 'asked', description: 'Looks around', phases: [{ title: 'Look' }],
}
phase('Look')
await agent('look')
return ${value}`

test('a harness’s run waits for the user, who refuses it with a reason, allows it once, and is asked about an edited one', async ({
  home,
  launchInWindow,
}) => {
  useAgent(home, 'echo-agent.mjs')
  const { page } = await launchInWindow()
  const window = new WindowPage(page)
  await window.waitUntilReady()
  const { rpc, end } = await connect(home)
  const ask = (value: number) =>
    rpc.request('tools/call', { name: 'workflow', arguments: { script: script(value), args: { topic: 'locks' } } })
  const dialog = page.getByRole('dialog', { name: 'Let codex run “asked”?' })

  const refused = ask(1)
  await expect(dialog).toContainText('Looks around')
  await expect(dialog.getByRole('list', { name: 'Phases' })).toContainText('Look')
  await expect(dialog.getByRole('region', { name: 'Args' })).toContainText('locks')
  await expect(dialog.getByRole('status')).toContainText('1 agent')
  await expect(dialog.getByRole('region', { name: /\.js$/ })).toContainText("await agent('look')")
  await dialog.getByRole('textbox', { name: 'Reason for a refusal' }).fill('not on this branch')
  await dialog.getByRole('button', { name: 'Deny' }).click()
  expect(JSON.stringify(await refused)).toContain('in Weft (not on this branch): nothing was started')
  await expect(window.runs).toContainText('No runs yet')

  const allowed = ask(1)
  await dialog.getByRole('button', { name: 'Allow' }).click()
  expect(await allowed).toMatchObject({ structuredContent: { result: 1 } })
  expect(await ask(1)).toMatchObject({ structuredContent: { result: 1 } })
  await expect(dialog).toHaveCount(0)
  await expect(window.runEntry('asked', 'completed')).toHaveCount(2)

  const edited = ask(2)
  edited.catch(() => undefined)
  await expect(dialog).toContainText('Looks around')
  end()
  await expect(dialog).toHaveCount(0)
})
