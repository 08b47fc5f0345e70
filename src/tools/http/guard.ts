// Who may come in over HTTP: by the right name, from no foreign page, with the token.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface Refusal {
  status: number
  words: string
}

/** Undefined for a request that may come in. */
export function refuseRequest({ headers }: IncomingMessage, port: number, token: string): Refusal | undefined {
  // A name that was made to point here belongs to a page that is after what is local.
  const host = headers.host ?? ''
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return { status: 403, words: 'unknown host' }
  const { origin } = headers
  if (origin !== undefined && origin !== `http://${host}`) return { status: 403, words: 'foreign origin' }
  const [, given = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
  return isSame(given, token) ? undefined : { status: 401, words: 'a bearer token is needed' }
}

/** Digests have one length, so that the time taken says nothing about either text. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
