// Which runs this client watches and how far it has seen them, so that a new connection goes on where the last one broke.

import type { HostCallName, HostPush, RunEvent } from '../../../shared/index.ts'

export interface WatchList {
  /** To be told of every call that is sent. */
  noteCall(name: HostCallName, params: unknown): void
  /** To be told of every push that arrives. */
  notePush(push: HostPush): void
  /** The `run.watch` calls that a new connection has to make. */
  toResume(): { runId: string; fromSeq: number }[]
}

export function createWatchList(): WatchList {
  const nextSeq = new Map<string, number>()
  return {
    noteCall(name, params) {
      // Parameters of these two calls are typed by HostCalls; a wire client sees them untyped.
      if (name === 'run.watch') {
        const { runId, fromSeq } = params as { runId: string; fromSeq: number } // see above
        nextSeq.set(runId, fromSeq)
      } else if (name === 'run.unwatch') {
        nextSeq.delete((params as { runId: string }).runId) // see above
      }
    },
    notePush(push) {
      if (push.event !== 'run.events') return
      const { runId, events } = push.payload as { runId: string; events: RunEvent[] } // by the event's name
      const last = events.at(-1)
      if (last !== undefined && nextSeq.has(runId)) nextSeq.set(runId, last.seq + 1)
    },
    toResume: () => [...nextSeq].map(([runId, fromSeq]) => ({ runId, fromSeq })),
  }
}
