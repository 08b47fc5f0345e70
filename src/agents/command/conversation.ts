// What is said between us and one agent process: reads its messages, judges its answers, and comes to a result.

import type { Readable } from 'node:stream'
import type { AgentRequest, AgentRunResult } from '../../engine/index.ts'
import { toWellFormed, type AgentProgress, type FailureKind } from '../../shared/index.ts'
import { readLines } from '../process/read-lines.ts'
import { judgeAnswer } from './answer.ts'
import { CallLog } from './call-log.ts'
import { classifyFailure } from './failure.ts'
import type { AgentMessage } from './messages.ts'

export interface ConversationOptions {
  request: AgentRequest
  onProgress: (progress: AgentProgress) => void
  maxLineBytes: number
  /** What a line says; undefined for one that is no message. */
  parse(line: string): readonly AgentMessage[] | undefined
  /** Asks for another answer. */
  sendBack(errors: readonly string[]): void
}

export class Conversation {
  readonly log: CallLog
  readonly #options: ConversationOptions
  #rejections = 0
  #lastRejected: { errors: string[]; answer: string } | undefined

  constructor(options: ConversationOptions) {
    this.#options = options
    this.log = new CallLog(options.onProgress)
  }

  /**
   * Reads until the call is decided; undefined when the output ends before. Lines are taken one by one, so that an agent
   * that floods us is held back by its own pipe. Rejects only when an answer could not be validated.
   */
  async read(stdout: Readable): Promise<AgentRunResult | undefined> {
    for await (const line of readLines(stdout, this.#options.maxLineBytes)) {
      if ('overflow' in line) return this.#overflow(line.overflow)
      const messages = this.#options.parse(line.text)
      if (messages === undefined) {
        this.log.raw(line.text)
        continue
      }
      for (const message of messages) {
        // One after the other: what follows an answer may depend on whether it was taken.
        // oxlint-disable-next-line no-await-in-loop
        const result = await this.take(message)
        if (result) return result
      }
    }
    return undefined
  }

  /** The last answer was refused, and no other one has come. */
  get isAnswerDue(): boolean {
    return this.#lastRejected !== undefined
  }

  /** The process has ended; `how` says how, e.g. `exited with code 3`. */
  endedWithout(how: string): AgentRunResult {
    if (this.#lastRejected) return this.#mismatch(', and it ended instead of answering again')
    const stderr = this.log.stderr.trim()
    return this.dead(
      `The agent process ${how} without a result.${stderr === '' ? '' : ` Its stderr ends:\n${stderr}`}`,
      'crashed',
    )
  }

  dead(
    error: string,
    failure: FailureKind,
    rest: { retryAt?: number; rateLimited?: boolean; partial?: string } = {},
  ): Extract<AgentRunResult, { kind: 'dead' }> {
    return {
      kind: 'dead',
      error: toWellFormed(error),
      failure,
      ...(this.log.usage && { usage: this.log.usage }),
      ...(this.log.partial !== '' && { partial: this.log.partial }),
      ...(this.#rejections > 0 && { rejections: this.#rejections }),
      ...rest,
    }
  }

  /** Undefined while the call is not decided. */
  async take(message: AgentMessage): Promise<AgentRunResult | undefined> {
    switch (message.type) {
      case 'progress':
        this.log.progress(message.progress)
        return undefined
      case 'usage':
        this.log.addUsage(message.usage)
        return undefined
      case 'error': {
        this.log.setUsage(message.usage)
        const { retryAfterMs, rateLimited } = message
        return this.dead(message.message, classifyFailure(message), {
          ...(retryAfterMs !== undefined && { retryAt: Date.now() + retryAfterMs }),
          ...(rateLimited === true && { rateLimited }),
        })
      }
      case 'result':
        this.log.setUsage(message.usage)
        return this.#judge(message)
    }
  }

  async #judge(message: Extract<AgentMessage, { type: 'result' }>): Promise<AgentRunResult | undefined> {
    const { request } = this.#options
    const judgement = await judgeAnswer(request, message.output, message.form)
    if (judgement.ok) {
      return {
        kind: 'ok',
        output: judgement.value,
        usage: this.log.usage ?? { outputTokens: 0 },
        ...(this.#rejections > 0 && { rejections: this.#rejections }),
      }
    }
    this.#rejections++
    this.#lastRejected = judgement
    this.log.progress({ kind: 'rejected', errors: judgement.errors, answer: judgement.answer })
    if (this.#rejections > (request.structured?.maxRetries ?? 0)) return this.#mismatch('')
    this.#options.sendBack(judgement.errors)
    return undefined
  }

  #mismatch(what: string): AgentRunResult {
    const { errors, answer } = this.#lastRejected ?? { errors: [], answer: '' }
    const verdict =
      this.#rejections === 1
        ? 'The answer did not match the schema'
        : `None of ${this.#rejections} answers matched the schema`
    return this.dead(`${verdict}${what}: ${errors.join('; ')}`, 'schema', { partial: answer })
  }

  #overflow(bytes: number): AgentRunResult {
    const limit = Math.floor(this.#options.maxLineBytes / 1024 / 1024)
    return this.dead(
      `The agent wrote ${bytes} bytes without a line end, more than the ${limit} MiB that a message may have; a message is one line of JSON.`,
      'other',
    )
  }
}
