// Entry of the store's threads: the writer, or one long task (backup, check) beside it.

import { parentPort, workerData } from 'node:worker_threads'
import { runTask } from './tasks/run-task.ts'
import type { WorkerData } from './writer/protocol.ts'
import { runWriter } from './writer/write-loop.ts'

if (parentPort === null) throw new Error('writer-worker has to be started as a worker thread')
// Whoever starts this file (writer-client.ts, start-task.ts) passes exactly this.
const data = workerData as WorkerData
if (data.role === 'writer') runWriter(parentPort, data)
else runTask(parentPort, data)
