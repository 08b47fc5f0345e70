// Entry file of the answer worker: does what a stranger's schema or pattern asks for, off the main thread, where it can be ended.

import { parentPort } from 'node:worker_threads'
import type { JsonValue } from '../../../shared/index.ts'
import type { WorkerReply, WorkerRequest } from './answer-messages.ts'
import { makeAnswer } from './make-answer.ts'

parentPort?.on('message', (request: WorkerRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread's port has no origin
  parentPort?.postMessage(reply(request))
})

function reply(request: WorkerRequest): WorkerReply {
  try {
    return { id: request.id, ok: true, value: perform(request) }
  } catch (error) {
    return { id: request.id, ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}

function perform(request: WorkerRequest): JsonValue {
  if (request.op === 'match') return request.tests.map(({ pattern, text }) => new RegExp(pattern, 'u').test(text))
  return makeAnswer(request.schema, request.seed, request.candidate)
}
