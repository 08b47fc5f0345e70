// Decides which messages from a page are calls: the door of the window, validated before anything looks inside.

import type { HostErrorBody } from '../shared/index.ts'
import { isAppUrl } from './renderer-files.ts'

/** Who sent a message, as Electron knows it. */
export interface CallSender {
  /** The address of the frame that sent it; undefined when that frame is gone. */
  frameUrl: string | undefined
  /** False for a frame inside the page. */
  isMainFrame: boolean
}

export type GateVerdict = { ok: true; name: string; params: unknown } | { ok: false; error: HostErrorBody }

const MAX_NAME_LENGTH = 100
/** What a host takes over its other wires. */
const MAX_JSON_LENGTH = 16 * 1024 * 1024

/** True for the page of a window itself; frames inside of it, other pages and ones that are gone may say nothing. */
export function isOwnPage({ frameUrl, isMainFrame }: CallSender): boolean {
  return frameUrl !== undefined && isMainFrame && isAppUrl(frameUrl)
}

/** `name` and `json` are what arrived, of any type. */
export function readCall(sender: CallSender, name: unknown, json: unknown): GateVerdict {
  if (!isOwnPage(sender)) {
    return refuse('NOT_ALLOWED', "Only the window's own page may call the host")
  }
  if (typeof name !== 'string' || name.length === 0 || name.length > MAX_NAME_LENGTH) {
    return refuse('BAD_REQUEST', `A call's name has to be a string of 1 to ${MAX_NAME_LENGTH} characters`)
  }
  if (typeof json !== 'string') return refuse('BAD_REQUEST', `The parameters of ${name} have to be JSON text`)
  if (json.length > MAX_JSON_LENGTH) {
    return refuse('BAD_REQUEST', `The parameters of ${name} are longer than ${MAX_JSON_LENGTH} characters`)
  }
  try {
    return { ok: true, name, params: JSON.parse(json) }
  } catch (error) {
    return refuse('BAD_REQUEST', `The parameters of ${name} are not JSON: ${messageOf(error)}`)
  }
}

function refuse(code: HostErrorBody['code'], message: string): GateVerdict {
  return { ok: false, error: { code, message } }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
