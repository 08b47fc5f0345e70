// A host in a process of its own, to be killed: `node host-process.ts <folders as JSON> <script text>`. Prints one JSON line
// with the run's id once an agent is running.

import { createHost } from '../../../src/host/index.ts'
import { hostOptions, type Folders } from './host-options.ts'

const [, , foldersJson = '', text = ''] = process.argv
// The test that starts this file passes exactly this.
const folders = JSON.parse(foldersJson) as Folders
const quiet = (): void => undefined
const host = await createHost(hostOptions(folders, { debug: quiet, info: quiet, warn: quiet, error: quiet }))
const session = host.openSession({ kind: 'test', workspace: folders.workspace })
const source = { kind: 'text', text } as const
const { runId } = await session.call('run.start', { workspace: folders.workspace, source })
session.on('run.events', ({ events }) => {
  if (events.some((event) => event.type === 'agent-progress')) process.stdout.write(`${JSON.stringify({ runId })}\n`)
})
await session.call('run.watch', { runId, fromSeq: 1 })
