// Stack traces in terms of the author's files: frames of the engine, of SES and of Node are left out, positions are those of
// the file as written. V8 asks for a trace's text once, when `stack` is first read; the frames are kept beside the error.

import type { RunError, RunErrorCode, SourcePosition } from '../../shared/index.ts'
import { cutText, toWellFormed } from '../../shared/lib/text.ts'
import { toWritten } from '../script/positions.ts'
import { describeValue } from './describe-value.ts'
import { SCRIPT_URL_PREFIX, type SandboxScript } from './protocol.ts'
import { factsOf } from './script-error.ts'

export interface Frame extends SourcePosition {
  file: string
  group: number
  text: string
}

/** Deep enough to reach the author's frames through the engine's own. */
const TRACE_LIMIT = 40
const SITE_TRACE_LIMIT = 6
const NAME_UNITS = 200
const MESSAGE_UNITS = 20_000

const scripts = new Map<number, SandboxScript>()
const framesOf = new WeakMap<object, readonly Frame[]>()
let feralError: ErrorConstructor = Error

/** From now on positions in this script's code are told as those of its file. */
export function registerScript(script: SandboxScript): void {
  scripts.set(script.group, script)
}

/** Called between SES's repair and its freeze, with the realm's original `Error`. */
export function installStacks(original: ErrorConstructor): void {
  feralError = original
  original.stackTraceLimit = TRACE_LIMIT
  original.prepareStackTrace = (error, sites) => {
    const frames = sites.map(toFrame).filter((frame) => frame !== undefined)
    framesOf.set(error, frames)
    return [headline(error), ...frames.map((frame) => frame.text)].join('\n')
  }
  // SES's own stand-in empties the stack; ours shows no more than `stack` does anyway.
  const shared: unknown = original.prototype.constructor
  if (typeof shared === 'function') {
    const captureStackTrace = (target: object, above?: () => void): void =>
      original.captureStackTrace(target, typeof above === 'function' ? above : captureStackTrace)
    Object.defineProperty(shared, 'captureStackTrace', { value: captureStackTrace })
  }
}

function toFrame(site: NodeJS.CallSite): Frame | undefined {
  const url = site.getScriptNameOrSourceURL()
  if (typeof url !== 'string' || !url.startsWith(SCRIPT_URL_PREFIX)) return undefined
  const script = scripts.get(Number(url.slice(SCRIPT_URL_PREFIX.length)))
  const line = site.getLineNumber()
  const column = site.getColumnNumber()
  if (script === undefined || line === null || column === null) return undefined
  const written = toWritten(script.positions, { line, column })
  const place = `${script.fileName}:${written.line}:${written.column}`
  // V8 calls every nameless function of evaluated code `eval`.
  const name = site.getFunctionName() === 'eval' ? null : site.getFunctionName()
  const prefix = site.isAsync() ? 'async ' : ''
  return {
    ...written,
    file: script.fileName,
    group: script.group,
    text: name ? `    at ${prefix}${name} (${place})` : `    at ${prefix}${place}`,
  }
}

/** `name: message`, without trusting what the script put there. */
function headline(error: unknown): string {
  return attempt(() => Error.prototype.toString.call(error)) ?? 'Error'
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The author's frames of an error, innermost first; empty when it has none. */
export function readFrames(error: unknown): readonly Frame[] {
  if (typeof error !== 'object' || error === null) return []
  // Reading `stack` makes V8 call prepareStackTrace above.
  attempt(() => Reflect.get(error, 'stack'))
  return framesOf.get(error) ?? []
}

/** The author's frames at this moment, from the caller of `below` on. */
export function captureFrames(below: (...args: never[]) => unknown): readonly Frame[] {
  const holder = {}
  feralError.stackTraceLimit = SITE_TRACE_LIMIT
  feralError.captureStackTrace(holder, below)
  feralError.stackTraceLimit = TRACE_LIMIT
  return readFrames(holder)
}

/** Gives an error that was made outside the script's own calls the place it belongs to. */
export function placeError(error: Error, frames: readonly Frame[]): Error {
  framesOf.set(error, frames)
  const stack = [headline(error), ...frames.map((frame) => frame.text)].join('\n')
  Object.defineProperty(error, 'stack', { value: stack, writable: true, enumerable: false, configurable: true })
  return error
}

/** Whatever was thrown, as data: message, code, place and stack in the author's terms. */
export function toRunError(thrown: unknown, fallback: RunErrorCode = 'SCRIPT_ERROR'): RunError {
  const frames = readFrames(thrown)
  const first = frames[0]
  const isError = attempt(() => thrown instanceof Error) === true
  const text = (name: string, units: number): string | undefined => {
    const value: unknown = isError && thrown instanceof Error ? attempt(() => Reflect.get(thrown, name)) : undefined
    return typeof value === 'string' && value !== '' ? toWellFormed(cutText(value, units)) : undefined
  }
  const name = text('name', NAME_UNITS)
  const message = isError
    ? (text('message', MESSAGE_UNITS) ?? name ?? 'an error without a message')
    : `the script threw ${describeValue(thrown)}`
  return {
    code: factsOf(thrown)?.code ?? fallback,
    message,
    ...(name !== undefined && { name }),
    ...(first !== undefined && { file: first.file, line: first.line, column: first.column }),
    ...(frames.length > 0 && { stack: [`${name ?? 'Error'}: ${message}`, ...frames.map((f) => f.text)].join('\n') }),
  }
}
