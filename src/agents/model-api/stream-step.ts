// One request to the model: what it streams is shown as it comes, and given whole when it ends as it should.

import { jsonSchema, streamText, tool, type LanguageModel, type ModelMessage, type ToolSet } from 'ai'
import { toWellFormed, type JsonObject, type Usage } from '../../shared/index.ts'
import type { CallLog } from '../command/call-log.ts'
import { clip } from '../command/messages.ts'
import { parseWellFormed } from '../well-formed.ts'
import { toJson } from '../to-json.ts'
import type { Effort } from './providers.ts'
import { readUsage } from './read-usage.ts'

/** UTF-16 units of one answer. */
const MAX_TEXT_UNITS = 64 * 1024 * 1024
/** Reasoning is shown in pieces of about this size. */
const REASONING_UNITS = 1_500

export interface ToolDeclaration {
  name: string
  description: string
  inputSchema: JsonObject
}

export interface StepOptions {
  model: LanguageModel
  instructions: string
  messages: ModelMessage[]
  tools: readonly ToolDeclaration[]
  effort: Effort | undefined
  providerOptions: NonNullable<Parameters<typeof streamText>[0]['providerOptions']>
  maxOutputTokens: number | undefined
  signal: AbortSignal
}

export interface ToolCall {
  id: string
  name: string
  /** Undefined: what the model gave is no JSON object. */
  input: JsonObject | undefined
}

export interface Step {
  text: string
  calls: ToolCall[]
  finish: string
  usage: Usage | undefined
  /** What the model said, to be sent back with the next request. */
  message: ModelMessage[]
  /** What the SDK could not do as it was asked. */
  warnings: string[]
}

const BROKEN = 'The answer broke off: the connection ended in the middle of it.'

/** A stream that ended without saying so. */
export class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError'
}

/** The model does not have what was asked for: the SDK would send something else instead. */
export class OptionRefusedError extends Error {
  override readonly name = 'OptionRefusedError'
}

/** Rejects with the provider's or the network's error. Never tries again by itself. */
export async function streamStep(options: StepOptions, log: CallLog): Promise<Step> {
  const { model, instructions, messages, tools, effort, providerOptions, maxOutputTokens, signal } = options
  const result = streamText({
    model,
    instructions,
    messages,
    tools: declare(tools),
    maxRetries: 0,
    abortSignal: signal,
    providerOptions,
    ...(effort !== undefined && { reasoning: effort }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    // They come with the stream.
    onError: () => {},
  })
  const reader = new StepReader(log)
  for await (const part of result.stream) {
    switch (part.type) {
      case 'start-step':
        reader.warnings.push(...part.warnings.map(describeWarning))
        if (effort !== undefined) refuseOther(effort, reader.warnings)
        break
      case 'text-delta':
        reader.text(part.text)
        break
      case 'reasoning-delta':
        reader.reasoning(part.text)
        break
      case 'reasoning-end':
        reader.endReasoning()
        break
      case 'tool-call':
        reader.calls.push({ id: part.toolCallId, name: part.toolName, input: toInput(part.input) })
        break
      case 'finish-step':
        reader.finish(part.finishReason, part.rawFinishReason)
        reader.usage = readUsage(part.usage)
        break
      case 'error':
        throw isUnfinished(part.error) ? new BrokenStreamError(BROKEN) : part.error
      default:
    }
  }
  signal.throwIfAborted()
  reader.end()
  const { messages: said } = await result.response
  return {
    text: reader.whole,
    calls: reader.calls,
    finish: reader.finished,
    usage: reader.usage,
    message: said.filter(({ role }) => role === 'assistant').map((message) => repair(message, reader.calls)),
    warnings: reader.warnings,
  }
}

function refuseOther(effort: Effort, warnings: readonly string[]): void {
  const about = warnings.find((warning) => /^(?:reasoning|reasoningEffort|effort|thinking)\b/i.test(warning))
  if (about !== undefined) throw new OptionRefusedError(`The model does not have the effort "${effort}" (${about})`)
}

/** The word of the provider for OpenAI's format when a stream just stops. */
function isUnfinished(error: unknown): boolean {
  return error instanceof Error && error.message.includes('ended without a finish reason')
}

class StepReader {
  readonly calls: ToolCall[] = []
  readonly warnings: string[] = []
  usage: Usage | undefined
  finished = ''
  readonly #log: CallLog
  readonly #texts: string[] = []
  #units = 0
  /** Half of a character whose other half comes with the next piece. */
  #half = ''
  #thoughts = ''

  constructor(log: CallLog) {
    this.#log = log
  }

  get whole(): string {
    return toWellFormed(this.#texts.join(''))
  }

  text(piece: string): void {
    this.#units += piece.length
    if (this.#units > MAX_TEXT_UNITS)
      throw new Error(`the answer is longer than ${MAX_TEXT_UNITS} characters and was given up`)
    this.#texts.push(piece)
    const shown = this.#half + piece
    const isHalf = /[\uD800-\uDBFF]$/.test(shown)
    this.#half = isHalf ? shown.slice(-1) : ''
    const ready = isHalf ? shown.slice(0, -1) : shown
    if (ready !== '') this.#log.progress({ kind: 'text', text: clip(toWellFormed(ready)) })
  }

  reasoning(piece: string): void {
    this.#thoughts += piece
    if (this.#thoughts.length >= REASONING_UNITS) this.endReasoning()
  }

  endReasoning(): void {
    const thoughts = this.#thoughts
    this.#thoughts = ''
    if (thoughts.trim() !== '') this.#log.raw(`[thinking] ${thoughts}`)
  }

  finish(reason: string, raw: string | undefined): void {
    // What the SDK makes of a stream that just stops differs by provider.
    const stopped = reason === 'interrupted' || (reason === 'other' && raw === undefined)
    this.finished = stopped ? '' : reason
  }

  end(): void {
    this.endReasoning()
    if (this.finished === '') throw new BrokenStreamError(BROKEN)
  }
}

function declare(tools: readonly ToolDeclaration[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      // Answers are judged by us: strict modes take no schema as it is.
      tool({ description, inputSchema: jsonSchema(inputSchema), strict: false }),
    ]),
  )
}

/** A call that the SDK calls invalid as well: of a tool that does not exist, say. */
function toInput(input: unknown): JsonObject | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  // JSON by way of the SDK, halves of characters mended.
  return parseWellFormed(JSON.stringify(input)) as JsonObject
}

/** As it may be sent back: well-formed, and with an object for each call. */
function repair(message: ModelMessage, calls: readonly ToolCall[]): ModelMessage {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message
  const content = message.content.map((part) => {
    if (part.type === 'text') return { ...part, text: toWellFormed(part.text) }
    if (part.type !== 'tool-call') return part
    return { ...part, input: calls.find(({ id }) => id === part.toolCallId)?.input ?? {} }
  })
  return { ...message, content }
}

function describeWarning(warning: unknown): string {
  const value = toJson(warning)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? [value['feature'] ?? value['setting'], value['details'] ?? value['message']]
        .filter((part) => typeof part === 'string')
        .join(': ')
    : JSON.stringify(value)
}
