// Where a script is that does not yield: the host's own inspector session stops the worker for a moment and reads its stack.
// Without an inspector, or if it takes too long, the place stays unknown.

import { Session } from 'node:inspector'
import type { Worker } from 'node:worker_threads'
import { SCRIPT_URL_PREFIX } from './protocol.ts'

/** A place in the code as the sandbox runs it; line and column from 1. */
export interface GeneratedPlace {
  group: number
  line: number
  column: number
}

const TIMEOUT_MS = 1500

interface InspectorMessage {
  id?: number
  method?: string
  params?: unknown
}

interface CallFrame {
  location: { scriptId: string; lineNumber: number; columnNumber?: number }
}

/** Resolves within 1.5 s, to undefined when the place can't be told. The worker runs on afterwards. */
export async function locateScript(worker: Worker): Promise<GeneratedPlace | undefined> {
  const session = new Session()
  let timer: NodeJS.Timeout | undefined
  try {
    session.connect()
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), TIMEOUT_MS)
    })
    return await Promise.race([timeout, pauseAndLook(session, worker.threadId)])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    session.disconnect()
  }
}

function pauseAndLook(session: Session, threadId: number): Promise<GeneratedPlace | undefined> {
  return new Promise((resolve, reject) => {
    const groups = new Map<string, number>()
    let attached: string | undefined
    let id = 0
    const send = (method: string): void => {
      if (attached === undefined) return
      const message = JSON.stringify({ id: ++id, method })
      session.post('NodeWorker.sendMessageToWorker', { sessionId: attached, message })
    }
    session.on('NodeWorker.attachedToWorker', ({ params }) => {
      if (params.workerInfo.workerId !== String(threadId)) return
      attached = params.sessionId
      send('Debugger.enable')
      send('Debugger.pause')
    })
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
      if (params.sessionId !== attached) return
      const message = JSON.parse(params.message) as InspectorMessage // the inspector protocol's own shape
      if (message.method === 'Debugger.scriptParsed') noteScript(message.params, groups)
      if (message.method !== 'Debugger.paused') return
      // Terminating a worker that stands in the debugger would hang.
      send('Debugger.resume')
      send('Debugger.disable')
      const { callFrames } = message.params as { callFrames: CallFrame[] } // the inspector protocol's own shape
      resolve(firstPlace(callFrames, groups))
    })
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false }, (error) => {
      if (error !== null) reject(error)
    })
  })
}

function noteScript(params: unknown, groups: Map<string, number>): void {
  const { scriptId, url } = params as { scriptId: string; url: string } // the inspector protocol's own shape
  if (url.startsWith(SCRIPT_URL_PREFIX)) groups.set(scriptId, Number(url.slice(SCRIPT_URL_PREFIX.length)))
}

function firstPlace(frames: readonly CallFrame[], groups: ReadonlyMap<string, number>): GeneratedPlace | undefined {
  for (const { location } of frames) {
    const group = groups.get(location.scriptId)
    if (group !== undefined) return { group, line: location.lineNumber + 1, column: (location.columnNumber ?? 0) + 1 }
  }
  return undefined
}
