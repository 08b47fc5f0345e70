// `--args`: a JSON value in the shell or in a file, handed to the script verbatim. Where it is not JSON, the place is named.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse as parseJsonTree } from '@humanwhocodes/momoa'
import type { JsonValue } from '../../shared/index.ts'
import { CliError } from '../errors.ts'
import { renderExcerpt } from '../render/excerpt.ts'

/**
 * The value of `--args`: JSON text, `@file`, or `@-` for standard input. A string that happens to hold JSON stays a string.
 * Throws CliError USAGE with line, column and the line itself.
 */
export function readArgs(text: string, cwd: string): JsonValue {
  if (!text.startsWith('@')) return parseJson(text, '--args')
  const name = text.slice(1)
  if (name === '') throw new CliError('USAGE', '--args @ names no file. Give @file.json, or @- for standard input.')
  return parseJson(readText(name, cwd), name === '-' ? 'standard input' : name)
}

function readText(name: string, cwd: string): string {
  try {
    const text = readFileSync(name === '-' ? 0 : resolve(cwd, name), 'utf8')
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError('USAGE', `--args could not read ${name}: ${reason}`, { cause: error })
  }
}

function parseJson(text: string, where: string): JsonValue {
  try {
    // JSON.parse keeps own `__proto__` keys as data and is typed `any`; what it returns is JSON by definition.
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw new CliError('USAGE', describeJsonError(text, where, error), { cause: error })
  }
}

function describeJsonError(text: string, where: string, error: unknown): string {
  const hint = 'Quote the JSON for your shell, or put it into a file: --args @args.json'
  if (text.trim() === '') return `${where} is empty where JSON is needed. ${hint}`
  const found = findJsonError(text)
  if (!found) return `${where} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`
  const { line, column, message } = found
  const excerpt = renderExcerpt(text, { line, column, endLine: line, endColumn: column + 1 })
  return [`${where} is not valid JSON at line ${line}, column ${column}: ${message}`, ...excerpt, hint].join('\n')
}

function findJsonError(text: string): { line: number; column: number; message: string } | undefined {
  try {
    parseJsonTree(text, { mode: 'json' })
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) return undefined
    // momoa puts the place behind its message and, not in its types, on the error.
    const place = /^(.*?)\.?\s*\((\d+):(\d+)\)$/s.exec(error.message)
    if (!place) return undefined
    return { message: place[1] ?? error.message, line: Number(place[2]), column: Number(place[3]) }
  }
}
