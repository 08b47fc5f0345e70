// The checker's worker: parses scripts and judges values where a hostile one can take as long as it likes.

import { parentPort } from 'node:worker_threads'
import { performJob } from './perform-job.ts'
import type { JobRequest, WorkerMessage } from './protocol.ts'

parentPort?.on('message', (request: JobRequest) => {
  post(answer(request))
})
post({ type: 'ready' })

function answer(request: JobRequest): WorkerMessage {
  try {
    return { type: 'done', result: performJob(request) }
  } catch (error) {
    return { type: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function post(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
  parentPort?.postMessage(message)
}
