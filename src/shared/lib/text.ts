// Text that leaves the program has to be well-formed Unicode: a cut inside a surrogate pair makes requests fail for ever.

import leven from 'leven'

/** Cuts `text` to at most `units` UTF-16 units, never inside a surrogate pair. */
export function cutText(text: string, units: number): string {
  if (text.length <= units) return text
  const last = text.charCodeAt(units - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units)
}

/** The last `units` UTF-16 units of `text`, never beginning inside a surrogate pair. */
export function tailText(text: string, units: number): string {
  if (text.length <= units) return text
  const start = text.length - units
  const first = text.charCodeAt(start)
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start)
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** Replaces each lone surrogate by U+FFFD, as `String.prototype.toWellFormed` does in newer runtimes. */
export function toWellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\uFFFD')
}

/** One line for lists: white space folded, control characters shown as escapes, at most `units` long with an ellipsis. */
export function toPreview(text: string, units = 200): string {
  const folded = toWellFormed(cutText(text, units * 4))
    .replace(/\s+/g, ' ')
    .trim()
    // oxlint-disable-next-line no-control-regex -- control characters are exactly what has to be shown as escapes here
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return folded.length > units ? `${cutText(folded, units - 1)}…` : folded
}

/** `1 agent`, `2 agents`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}

/** The nearest of `known` within two edits, or a third of its length in edits if that is more, for "did you mean". */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = leven(name.toLowerCase(), candidate.toLowerCase())
    const limit = Math.max(2, Math.floor(candidate.length / 3))
    if (distance <= limit && (!best || distance < best.distance)) best = { name: candidate, distance }
  }
  return best?.name
}
