// Run ids are ULIDs: their text sorts by time of creation, also within one millisecond.

import { randomBytes } from 'node:crypto'
import { asRunId, type RunId } from '../../shared/index.ts'
import type { IdSource } from '../../engine/index.ts'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_BITS = 80n

/** Ids from `now` (milliseconds since the epoch). A clock that stands still or goes back still gives rising ids. */
export function createRunIds(now: () => number = Date.now): IdSource {
  let lastTime = -1
  let random = 0n
  return {
    runId(): RunId {
      const time = now()
      if (time > lastTime) {
        lastTime = time
        // The top bit is left clear, so that counting up within a millisecond can't overflow.
        random = BigInt(`0x${randomBytes(10).toString('hex')}`) >> 1n
      } else {
        random += 1n
      }
      return asRunId(encode((BigInt(lastTime) << RANDOM_BITS) | random))
    },
  }
}

function encode(value: bigint): string {
  let text = ''
  for (let rest = value, i = 0; i < 26; i++, rest >>= 5n) text = ALPHABET.charAt(Number(rest & 31n)) + text
  return text
}
