// Why a call of a resumed run is not answered from the earlier one: compared with the nearest call that is left of its scope.

import {
  canonicalJson,
  toPreview,
  type AgentNumber,
  type AgentStatus,
  type CallKey,
  type CallPath,
  type FieldChange,
  type JsonObject,
  type ResumeReason,
} from '../../shared/index.ts'

/** A call of the earlier run. */
export interface EarlierCall {
  agent: AgentNumber
  path: CallPath
  key: CallKey
  label: string
  status: AgentStatus
  error?: string
}

export interface CallText {
  prompt: string
  options: JsonObject
}

/** A call of the run to come. */
export interface ComingCall extends CallText {
  path: CallPath
  key: CallKey
  label: string
}

const EXCERPT_BEFORE = 20
const EXCERPT_UNITS = 100
/** Names and groups a call and does not make it another one. */
const NOT_IN_KEY = new Set(['label', 'phase'])

export class Explanations {
  readonly #left: Map<string, EarlierCall[]> = new Map()
  readonly #read: (agent: AgentNumber) => CallText | undefined

  /** `unused` are the earlier run's calls that nothing is answered from; `read` gives what they said. */
  constructor(unused: readonly EarlierCall[], read: (agent: AgentNumber) => CallText | undefined) {
    this.#read = read
    for (const call of unused) {
      const scope = scopeOf(call.path)
      this.#left.set(scope, [...(this.#left.get(scope) ?? []), call])
    }
  }

  /** An earlier call explains one call only. */
  explain(call: ComingCall): ResumeReason {
    const left = this.#left.get(scopeOf(call.path)) ?? []
    const same = left.find(({ key }) => key === call.key)
    if (same !== undefined) {
      take(left, same)
      const { agent, status, error } = same
      return { kind: 'unfinished', agent, status, ...(error !== undefined && { error }) }
    }
    const nearest = this.#findNearest(call, left)
    if (nearest === undefined) return { kind: 'new' }
    take(left, nearest.earlier)
    return { kind: 'changed', agent: nearest.earlier.agent, changes: compareCalls(nearest.text, call) }
  }

  #findNearest(call: ComingCall, left: readonly EarlierCall[]): { earlier: EarlierCall; text: CallText } | undefined {
    let best: { earlier: EarlierCall; text: CallText; score: number } | undefined
    for (const earlier of left) {
      const text = this.#read(earlier.agent)
      if (text === undefined) continue
      const score =
        likeness(text.prompt, call.prompt) +
        (earlier.path === call.path ? 0.5 : 0) +
        (earlier.label === call.label ? 0.5 : 0)
      if (best === undefined || score > best.score) best = { earlier, text, score }
    }
    return best
  }
}

/** Each field that makes the calls two, the prompt first. */
export function compareCalls(before: CallText, after: CallText): FieldChange[] {
  const changes: FieldChange[] = []
  if (before.prompt !== after.prompt) changes.push({ field: 'prompt', ...excerpts(before.prompt, after.prompt) })
  const names = new Set([...Object.keys(before.options), ...Object.keys(after.options)])
  for (const name of [...names].sort()) {
    if (NOT_IN_KEY.has(name)) continue
    const [old, now] = [toText(before.options, name), toText(after.options, name)]
    if (old !== now) changes.push({ field: `options.${name}`, ...excerpts(old, now) })
  }
  return changes
}

/** Two texts of a field, cut to what is around the first difference; null where there is none. */
export function describeChange(field: string, before: string | null, after: string | null): FieldChange {
  return { field, ...excerpts(before, after) }
}

function toText(options: JsonObject, name: string): string | null {
  const value = options[name]
  return value === undefined ? null : canonicalJson(value)
}

function excerpts(before: string | null, after: string | null): Pick<FieldChange, 'before' | 'after'> {
  const at = before === null || after === null ? 0 : commonStart(before, after)
  return { before: excerpt(before, at), after: excerpt(after, at) }
}

function excerpt(text: string | null, at: number): string | null {
  if (text === null) return null
  let start = Math.max(0, at - EXCERPT_BEFORE)
  // Not into the middle of a character.
  if (/[\uDC00-\uDFFF]/.test(text.charAt(start))) start = Math.max(0, start - 1)
  return `${start > 0 ? '…' : ''}${toPreview(text.slice(start, start + EXCERPT_UNITS * 2), EXCERPT_UNITS)}`
}

/** The share of the longer text that both begin and end with, 0–1. */
function likeness(a: string, b: string): number {
  const longer = Math.max(a.length, b.length)
  if (longer === 0) return 1
  const start = commonStart(a, b)
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return (start + end) / longer
}

function commonStart(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}

function take(list: EarlierCall[], call: EarlierCall): void {
  list.splice(list.indexOf(call), 1)
}

function scopeOf(path: CallPath): string {
  return path.slice(0, path.lastIndexOf('/'))
}
