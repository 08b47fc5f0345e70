// What every wire has in common: JSON frames in, replies and pushes out, with limits on what may pile up.

import type { HostEventName, HostPush, HostReply, HostRequest } from '../../shared/index.ts'
import { HostError } from '../../shared/index.ts'
import type { Host, HostSession, SessionIdentity } from '../host.ts'

/** With more than this unsent, events wait in the store. */
const CONGESTED_BYTES = 4 * 1024 * 1024
/** With more than this unsent and still asking, a client is cut off. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024
const MAX_OPEN_REQUESTS = 256

/** The id of a reply to a frame whose own id can't be read. */
export const NO_REQUEST = -1

export interface Wire {
  send(text: string): void
  /** Handed to `send` and not yet taken by the system. */
  unsentBytes(): number
  /** Ends the connection, saying why. */
  close(reason: string): void
}

export interface WireConnection {
  receive(text: string): void
  /** Answers a frame that could not be taken with BAD_REQUEST; the connection goes on. */
  refuse(message: string): void
  /** The wire has closed. */
  end(): void
}

const PUSHED: Record<HostEventName, true> = {
  'run.events': true,
  'run.row': true,
  'run.deleted': true,
  'run.pinned': true,
  'workflows.changed': true,
  'host.status': true,
  'approval.asked': true,
  'approval.answered': true,
}

/** Opens a session for a wire. Throws HostError when the host takes nobody any more. */
export function connectWire(host: Host, identity: SessionIdentity, wire: Wire): WireConnection {
  const session: HostSession = host.openSession(identity, { isCongested: () => wire.unsentBytes() > CONGESTED_BYTES })
  const open = new Set<number>()
  let ended = false

  const send = (message: HostReply | HostPush): void => {
    if (!ended) wire.send(JSON.stringify(message))
  }
  const refuse = (message: string, id = NO_REQUEST): void => {
    send({ id, ok: false, error: { code: 'BAD_REQUEST', message } })
  }
  for (const event of Object.keys(PUSHED)) {
    // The record's type makes its keys exactly the names of events.
    const name = event as HostEventName
    session.on(name, (payload) => send({ event: name, payload }))
  }

  return {
    receive(text) {
      if (ended) return
      if (wire.unsentBytes() > MAX_UNSENT_BYTES) {
        wire.close('the client does not read its answers')
        return
      }
      const request = readRequest(text)
      if (request instanceof HostError) refuse(request.message)
      else if (open.has(request.id))
        refuse(`Request ${request.id} is still open: its id can't be used again yet`, request.id)
      else if (open.size >= MAX_OPEN_REQUESTS) refuse(`More than ${MAX_OPEN_REQUESTS} requests are open`, request.id)
      else {
        open.add(request.id)
        // `handle` never rejects.
        void session.handle(request.id, request.call, request.params).then((reply) => {
          open.delete(request.id)
          send(reply)
        })
      }
    },
    refuse: (message) => refuse(message),
    end() {
      if (ended) return
      ended = true
      session.close()
    },
  }
}

function readRequest(text: string): HostRequest | HostError {
  const bad = (message: string): HostError => new HostError({ code: 'BAD_REQUEST', message })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return bad(`The frame is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof value !== 'object' || value === null || !('id' in value) || !('call' in value))
    return bad('A frame has to be an object {"id": number, "call": string, "params": …}')
  const { id, call } = value
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0)
    return bad(`A request's id has to be a whole number from 0 on, not ${JSON.stringify(id)}`)
  if (typeof call !== 'string') return bad(`A request's call has to be a string, not ${JSON.stringify(call)}`)
  return { id, call, params: 'params' in value ? value.params : undefined }
}
