// Secrets of the doors: made here, compared in constant time.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Digests have one length, so that the time taken says nothing about either text. */
export function equalSecrets(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
