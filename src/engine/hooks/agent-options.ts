// What `agent()` may be given. A mistake is fatal and named: an option that is accepted and ignored would be a lie.

import type { JsonObject, JsonValue } from '../../shared/index.ts'
import { isJsonObject } from '../../shared/lib/json.ts'
import { nearestName, toWellFormed } from '../../shared/lib/text.ts'
import { AGENT_OPTIONS, EFFORTS } from '../script/known-names.ts'
import { copyJson, NotJsonError } from '../sandbox/copy-json.ts'
import { describeValue } from '../sandbox/describe-value.ts'
import { makeScriptError } from '../sandbox/script-error.ts'

type AgentOption = (typeof AGENT_OPTIONS)[number]

const isText = (value: JsonValue): boolean => typeof value === 'string' && value.trim() !== ''

/** What each option takes, and that in words. */
const RULES: Record<AgentOption, { takes: string; accepts(value: JsonValue): boolean }> = {
  label: { takes: 'a non-empty text', accepts: isText },
  phase: { takes: 'a non-empty text', accepts: isText },
  schema: {
    takes: 'a JSON Schema: an object, true or false',
    accepts: (value) => isJsonObject(value) || typeof value === 'boolean',
  },
  provider: { takes: 'the id of a back end', accepts: isText },
  model: { takes: 'the name of a model', accepts: isText },
  effort: {
    takes: `one of ${EFFORTS.map((effort) => JSON.stringify(effort)).join(', ')}`,
    accepts: (value) => EFFORTS.some((effort) => effort === value),
  },
  isolation: { takes: 'the text "worktree"', accepts: (value) => value === 'worktree' },
  agentType: { takes: 'the name of an agent definition', accepts: isText },
  allowedTools: {
    takes: 'an array of tool names',
    accepts: (value) => Array.isArray(value) && value.every(isText),
  },
}

export function readPrompt(prompt: unknown): string {
  if (typeof prompt === 'string' && prompt !== '') return toWellFormed(prompt)
  const hint = typeof prompt === 'function' ? '; call it to get the text' : ''
  throw misuse(`agent: the prompt has to be a non-empty text, got ${describeValue(prompt)}${hint}`)
}

export function readAgentOptions(options: unknown): JsonObject {
  if (options === undefined) return {}
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw misuse(`agent: the options have to be an object, got ${describeValue(options)}`)
  }
  const prototype: unknown = Object.getPrototypeOf(options)
  // What a class, a Map or a prototype holds would be passed over.
  if (prototype !== Object.prototype && prototype !== null) {
    throw misuse(`agent: the options have to be a plain object, got ${describeValue(options)}`)
  }
  const [symbol] = Object.getOwnPropertySymbols(options)
  if (symbol !== undefined) throw unknownOption(String(symbol))
  const copy: JsonObject = {}
  for (const name of Object.keys(options)) {
    const option = AGENT_OPTIONS.find((known) => known === name)
    if (option === undefined) throw unknownOption(name)
    const value: unknown = Reflect.get(options, name)
    // So that `{ model: fast ? 'small' : undefined }` works.
    if (value !== undefined) copy[option] = readOption(option, value)
  }
  return copy
}

function readOption(option: AgentOption, value: unknown): JsonValue {
  const rule = RULES[option]
  const copy = copyArgument(value, `agent: option ${option}`)
  if (rule.accepts(copy)) return copy
  throw misuse(`agent: option ${option} takes ${rule.takes}, got ${describeValue(value)}`)
}

/** An argument too many is one that the author expects to mean something. */
export function refuseMore(hook: string, takes: string, more: readonly unknown[]): void {
  if (more.length > 0) throw misuse(`${hook}: takes ${takes}, got also ${describeValue(more[0])}`)
}

/** A JSON copy of a hook's argument; what is no JSON is misuse. Throws what a getter in it throws. */
export function copyArgument(value: unknown, name: string): JsonValue {
  try {
    return copyJson(value, name)
  } catch (error) {
    throw error instanceof NotJsonError ? misuse(error.message) : error
  }
}

function unknownOption(name: string): Error {
  const near = nearestName(name, AGENT_OPTIONS)
  const hint = near === undefined ? `known options: ${AGENT_OPTIONS.join(', ')}` : `did you mean ${near}?`
  return makeScriptError('UNKNOWN_OPTION', `agent: unknown option ${JSON.stringify(name.slice(0, 60))}; ${hint}`)
}

export function misuse(message: string): Error {
  return makeScriptError('INVALID_ARGUMENT', message)
}
