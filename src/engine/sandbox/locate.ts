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

const TIMEOUT_MS = 3000

/**
 * Resolves within 3 s, to undefined when the place can't be told.
 * The worker has to be terminated afterwards: the session stays with it until its end, because a thread that stops in the
 * debugger with nobody to resume it never ends, whatever it is told.
 */
export async function locateScript(worker: Worker): Promise<GeneratedPlace | undefined> {
  let timer: NodeJS.Timeout | undefined
  try {
    const timeout = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), TIMEOUT_MS)
    })
    return await Promise.race([timeout, pauseAndLook(worker)])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function pauseAndLook(worker: Worker): Promise<GeneratedPlace | undefined> {
  const session = new Session()
  session.connect()
  worker.once('exit', () => session.disconnect())
  // The second is what Node 18 calls it.
  const titles = [`[worker ${worker.threadId}]`, `Worker ${worker.threadId}`]
  const groups = new Map<string, number>()
  let attached: string | undefined
  let place: GeneratedPlace | undefined
  let id = 0
  const send = (method: string): void => {
    if (attached === undefined) return
    session.post('NodeWorker.sendMessageToWorker', {
      sessionId: attached,
      message: JSON.stringify({ id: ++id, method }),
    })
  }
  return new Promise((resolve, reject) => {
    session.on('NodeWorker.attachedToWorker', ({ params }) => {
      const { title } = params.workerInfo
      if (!titles.some((own) => title === own || title.startsWith(`${own} `))) return
      attached = params.sessionId
      send('Debugger.enable')
      send('Debugger.pause')
    })
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
      if (params.sessionId !== attached) return
      const message = readMessage(params.message)
      if (message.method === 'Debugger.scriptParsed') noteScript(message.params, groups)
      if (message.method === 'Debugger.resumed') resolve(place)
      if (message.method !== 'Debugger.paused') return
      place ??= firstPlace(message.params.callFrames, groups)
      send('Debugger.resume')
    })
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false }, (error) => {
      if (error !== null) reject(error)
    })
  })
}

type InspectorMessage =
  | { method: 'Debugger.scriptParsed'; params: { scriptId: string; url: string } }
  | { method: 'Debugger.paused'; params: { callFrames: CallFrame[] } }
  | { method: 'Debugger.resumed' | undefined }

interface CallFrame {
  location: { scriptId: string; lineNumber: number; columnNumber?: number }
}

function readMessage(text: string): InspectorMessage {
  // The inspector protocol's own shapes; messages of other kinds are passed over by their method.
  return JSON.parse(text) as InspectorMessage
}

function noteScript({ scriptId, url }: { scriptId: string; url: string }, groups: Map<string, number>): void {
  if (url.startsWith(SCRIPT_URL_PREFIX)) groups.set(scriptId, Number(url.slice(SCRIPT_URL_PREFIX.length)))
}

function firstPlace(frames: readonly CallFrame[], groups: ReadonlyMap<string, number>): GeneratedPlace | undefined {
  for (const { location } of frames) {
    const group = groups.get(location.scriptId)
    if (group !== undefined) return { group, line: location.lineNumber + 1, column: (location.columnNumber ?? 0) + 1 }
  }
  return undefined
}
