// Starts one long task in a thread of its own and waits for its answer.

import { Worker } from 'node:worker_threads'
import { fromWireError, StoreError } from '../errors.ts'
import type { TaskData, TaskReply } from '../writer/protocol.ts'

/** Rejects with StoreError. */
export function startTask(workerFile: string | URL, data: TaskData): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: data })
    let reply: TaskReply | undefined
    worker.on('message', (message: TaskReply) => (reply = message))
    worker.on('error', (error) => {
      reject(new StoreError('INTERNAL', `The ${data.task.kind} failed: ${error.message}`, { cause: error }))
    })
    // Only when the thread is gone are its files closed.
    worker.on('exit', () => {
      if (reply === undefined) reject(new StoreError('INTERNAL', `The ${data.task.kind} ended without an answer.`))
      else if (reply.ok) resolve(reply.value)
      else reject(fromWireError(reply.error))
    })
  })
}
