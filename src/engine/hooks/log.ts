// `log(message)`: one line of narration in the run's log.

import { cutText, toWellFormed } from '../../shared/lib/text.ts'
import { copyJson, MAX_DEPTH } from '../sandbox/copy-json.ts'
import { describeValue } from '../sandbox/describe-value.ts'
import type { Guest } from '../sandbox/guest.ts'
import { captureFrames } from '../sandbox/stacks.ts'

/** UTF-16 units of a log line; what is longer is cut and says so. */
const MAX_LINE = 16_384

export function makeLog(guest: Guest): (message: unknown) => void {
  const log = (message: unknown): void => {
    guest.speak(captureFrames(log), (scope) => {
      guest.link.post({
        type: 'log',
        message: cutLine(showValue(message)),
        level: 'log',
        source: 'log',
        phase: scope.phase,
        group: scope.group,
      })
    })
  }
  return log
}

/** Text as it is, errors with their stack, JSON data as JSON, anything else in words. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return showPrimitive(value)
  try {
    if (value instanceof Error) return String(Reflect.get(value, 'stack') ?? value)
    return JSON.stringify(copyJson(value, 'value'))
  } catch {
    return showAnyway(value)
  }
}

function showPrimitive(value: unknown): string {
  return typeof value === 'function' ? describeValue(value) : typeof value === 'bigint' ? `${value}n` : String(value)
}

/** What is no JSON is still worth a line: JSON.stringify with a stand-in for what it can't say. */
function showAnyway(value: object): string {
  const depths = new WeakMap<object, number>()
  // The replacer gets the object that holds the field as `this`.
  function replace(this: object, _key: string, field: unknown): unknown {
    if (typeof field === 'bigint' || typeof field === 'function' || typeof field === 'symbol')
      return showPrimitive(field)
    if (typeof field !== 'object' || field === null) return field
    const depth = (depths.get(this) ?? 0) + 1
    // How deep the stack reaches differs from one time to the next; a line of the log must not.
    if (depth > MAX_DEPTH) throw new RangeError('too deep to show')
    depths.set(field, depth)
    return field
  }
  try {
    const text: unknown = JSON.stringify(value, replace)
    return typeof text === 'string' ? text : describeValue(value)
  } catch {
    return describeValue(value)
  }
}

export function cutLine(text: string): string {
  const cut = toWellFormed(cutText(text, MAX_LINE))
  return text.length > MAX_LINE ? `${cut}… (${text.length.toLocaleString('en-US')} units)` : cut
}
