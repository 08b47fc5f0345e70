// Entry of the sandbox worker: one run's script in its own thread. Locks the realm down, says that it is ready, then does
// what the host's messages say until the host ends it.

import { parentPort } from 'node:worker_threads'
import { Guest } from './guest.ts'
import { HostLink } from './host-link.ts'
import type { HostBatch } from './protocol.ts'
import { lockDown } from './realm.ts'

const port = parentPort
if (port === null) throw new Error('the sandbox worker has to be started as a worker thread')
// Taken before the realm loses its host globals.
const { process, setImmediate } = globalThis

const link = new HostLink(
  (batch) => port.postMessage(batch),
  (work) => void setImmediate(work),
)
const guest = new Guest(link, lockDown())
process.on('unhandledRejection', (reason, promise) => guest.rejections.onUnhandled(reason, promise))
process.on('rejectionHandled', (promise) => guest.rejections.onLateHandler(promise))
port.on('message', (batch: HostBatch) => link.receive(batch, (message) => guest.take(message)))
link.post({ type: 'ready' })
