// Promises that a script left rejected and unheard. They never end a worker; the host is told, and told again when a
// handler came late, so that only those that stay unheard become warnings.

import type { WorkerMessage } from './protocol.ts'
import { factsOf } from './script-error.ts'
import { toRunError } from './stacks.ts'

export interface RejectionWatch {
  onUnhandled(reason: unknown, promise: object): void
  onLateHandler(promise: object): void
}

export function makeRejectionWatch(post: (message: WorkerMessage) => void): RejectionWatch {
  const ids = new WeakMap<object, number>()
  let last = 0
  return {
    onUnhandled(reason, promise) {
      // What a cancelled run leaves behind is no news.
      if (factsOf(reason)?.code === 'CANCELLED') return
      const { message, name, file, line, column } = toRunError(reason)
      const id = ++last
      ids.set(promise, id)
      const text = `a promise was rejected and nothing awaits it: ${name ? `${name}: ` : ''}${message}`
      const place = {
        ...(file !== undefined && { file }),
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
      }
      post({ type: 'unhandled', id, notice: { code: 'script/unhandled-rejection', message: text, ...place } })
    },
    onLateHandler(promise) {
      const id = ids.get(promise)
      if (id !== undefined) post({ type: 'unhandled-late', id })
    },
  }
}
