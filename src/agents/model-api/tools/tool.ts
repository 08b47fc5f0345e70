// What a tool of the loop is: what the model is told of it, and what it does within the call's folder.

import type { JsonObject } from '../../../shared/index.ts'
import type { CallCookie } from '../../process/process-table.ts'
import type { Reaper } from '../../process/reaper-client.ts'

export type ToolName = 'read' | 'list' | 'search' | 'write' | 'run'
export const TOOL_NAMES: readonly ToolName[] = ['read', 'list', 'search', 'write', 'run']

/** UTF-16 units of what the model is given of one result. */
export const MAX_OUTPUT_UNITS = 50_000

export interface ToolContext {
  /** The call's folder, with every link resolved. */
  root: string
  signal: AbortSignal
  /** Of commands; without the keys of providers. */
  env: Readonly<Record<string, string | undefined>>
  cookie: CallCookie
  reaper?: Reaper
}

export interface Tool {
  name: ToolName
  description: string
  /** JSON Schema, an object at its root. */
  inputSchema: JsonObject
  /** What it is about to do, in a line: shown, and asked leave for. */
  title(input: JsonObject): string
  /** Rejects with ToolError for what the model should hear; other errors are told to it as well. */
  run(input: JsonObject, context: ToolContext): Promise<string>
}

/** Told to the model as the tool's result. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

export function textIn(input: JsonObject, key: string): string {
  const value = input[key]
  if (typeof value === 'string') return value
  throw new ToolError(`${key} must be a string, not ${value === undefined ? 'missing' : JSON.stringify(value)}`)
}

export function optionalTextIn(input: JsonObject, key: string): string | undefined {
  return input[key] === undefined || input[key] === null ? undefined : textIn(input, key)
}

/** A whole number from 1. */
export function countIn(input: JsonObject, key: string, otherwise: number): number {
  const value = input[key]
  if (value === undefined || value === null) return otherwise
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value
  throw new ToolError(`${key} must be a whole number from 1, not ${JSON.stringify(value)}`)
}

/** For titles: whatever stands there, as text. */
export function wordsIn(input: JsonObject, key: string, otherwise = ''): string {
  const value = input[key]
  if (value === undefined) return otherwise
  return typeof value === 'string' ? value : JSON.stringify(value)
}
