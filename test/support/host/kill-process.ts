// A host in a process of its own that kills itself as by kill -9, as soon as so many calls of a run have been answered live:
// `node kill-process.ts <folders as JSON> <parameters of run.start as JSON> <number>`. Prints the run's id.

import { createHost } from '../../../src/host/index.ts'
import type { HostCalls } from '../../../src/shared/index.ts'
import { hostOptions, type Folders } from './host-options.ts'

const [, , foldersJson = '', paramsJson = '', number = ''] = process.argv
// The test that starts this file passes exactly this.
const folders = JSON.parse(foldersJson) as Folders
const params = JSON.parse(paramsJson) as HostCalls['run.start']['params']
const quiet = (): void => undefined
const host = await createHost({
  ...hostOptions(folders, { debug: quiet, info: quiet, warn: quiet, error: quiet }),
  socket: false,
})
const session = host.openSession({ kind: 'test', workspace: folders.workspace })
const { runId } = await session.call('run.start', params)
process.stdout.write(runId)
let answered = 0
session.on('run.events', ({ events }) => {
  for (const event of events) {
    if (event.type === 'run-ended') process.exit(1)
    if (event.type === 'agent-ended' && event.outcome === 'completed') answered++
    if (answered >= Number(number)) process.kill(process.pid, 'SIGKILL')
  }
})
await session.call('run.watch', { runId, fromSeq: 1 })
