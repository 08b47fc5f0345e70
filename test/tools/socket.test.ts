import { asRunId } from '../../src/shared/index.ts'
import { writeFileIn } from '../support/host/make-host.ts'
import { describeHarness, type HarnessWorld } from '../support/tools/describe-harness.ts'
import { connectMinimal, connectSdk, socketTransport, type Harness } from '../support/tools/harness.ts'
import { RpcClient } from '../support/tools/rpc-client.ts'
import { shareToolHost, type ToolHostFixture } from '../support/tools/tool-host.ts'

const fixture = shareToolHost(async ({ workspace }) => {
  const saved = `export const meta = { name: 'saved', description: 'a saved one' }\nreturn args.n\n`
  await writeFileIn(workspace, 'workflows/saved.js', saved)
})

type Connect = (host: ToolHostFixture, name: string) => Promise<Harness>

const minimal =
  (era: 'legacy' | 'modern'): Connect =>
  (host, name) => {
    const socket = host.dial()
    return connectMinimal(new RpcClient(socket, socket), name, era, () => socket.destroy())
  }

const sdk =
  (era: 'legacy' | 'modern'): Connect =>
  (host, name) =>
    connectSdk(socketTransport(host.dial()), name, era)

function worldOf(connect: Connect): () => HarnessWorld {
  return () => ({
    connect: (name) => connect(fixture(), name),
    writeSettings: (settings) => fixture().writeSettings(settings),
    async statusOf(runId) {
      const { row } = await fixture().session.call('run.get', { runId: asRunId(runId) })
      return row.status
    },
  })
}

describeHarness("the SDK's client of 2026 over the socket", worldOf(sdk('modern')))
describeHarness('a minimal client over the socket', worldOf(minimal('legacy')))
