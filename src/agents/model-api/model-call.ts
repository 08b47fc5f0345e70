// One agent call by a model provider: requests and tools in turn, until the model is done or the call is decided otherwise.

import { realpath } from 'node:fs/promises'
import type { ModelMessage, ToolContent } from 'ai'
import type { AgentRequest, AgentRunResult } from '../../engine/index.ts'
import { toWellFormed, type AgentProgress, type FailureKind, type Usage } from '../../shared/index.ts'
import { CallLog } from '../command/call-log.ts'
import { CANCELLED, cancelledBefore } from '../command/process-call.ts'
import { messageOf } from '../errors.ts'
import { agentFraming } from '../framing.ts'
import type { Reaper } from '../process/reaper-client.ts'
import { OUTPUT_TOOL } from '../structured-output/output-names.ts'
import { StructuredAnswers } from '../structured-output/structured-answers.ts'
import { readAllowedTools } from './allowed-tools.ts'
import { describeFailure } from './describe-failure.ts'
import type { Access } from './leave.ts'
import { openModel, type ModelAddress } from './open-model.ts'
import { redactProgress, redactResult, type Redact } from './redact.ts'
import { BrokenStreamError, OptionRefusedError, streamStep, type Step, type ToolDeclaration } from './stream-step.ts'
import { Toolbox } from './toolbox.ts'

export interface ModelCallOptions extends Omit<ModelAddress, 'model'> {
  access: Access
  /** Requests of one call. */
  maxTurns: number
  maxOutputTokens?: number
  /** Of commands; without keys. */
  env: Readonly<Record<string, string | undefined>>
  redact: Redact
  /** In US dollars, of one request; undefined when not known. */
  priceOf?(model: string, usage: Usage): number | undefined
  reaper?: Reaper
}

/** Never rejects for what a provider does; settles with no request and no process of it left. */
export async function runModelCall(
  options: ModelCallOptions,
  model: string,
  request: AgentRequest,
  signal: AbortSignal,
  onProgress: (progress: AgentProgress) => void,
): Promise<AgentRunResult> {
  if (signal.aborted) return cancelledBefore()
  // The SDK prints them otherwise.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const { redact } = options
  const log = new CallLog((progress) => onProgress(redactProgress(progress, redact)))
  const stop = new AbortController()
  const onAbort = (): void => {
    log.close()
    // With no reason of ours: the SDK knows an aborted request by the platform's own error.
    stop.abort()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  const call = new ModelCall(options, model, request, log, stop.signal)
  try {
    const result = await call.run()
    // Whatever was under way, it was cancelled because we asked.
    return signal.aborted ? call.dead(CANCELLED, 'other') : redactResult(result, redact)
  } finally {
    signal.removeEventListener('abort', onAbort)
    log.close()
  }
}

class ModelCall {
  readonly #options: ModelCallOptions
  readonly #modelName: string
  readonly #request: AgentRequest
  readonly #log: CallLog
  readonly #signal: AbortSignal
  readonly #answers: StructuredAnswers
  readonly #messages: ModelMessage[]
  #turns = 0
  #warned = new Set<string>()
  /** Once a request's price is not known, the call's is not. */
  #priced = true
  /** A request is under way. */
  #isAsking = false
  /** What had been written when it began. */
  #before = ''

  constructor(options: ModelCallOptions, model: string, request: AgentRequest, log: CallLog, signal: AbortSignal) {
    this.#options = options
    this.#modelName = model
    this.#request = request
    this.#log = log
    this.#signal = signal
    this.#answers = new StructuredAnswers(request, log, () => {})
    this.#messages = [{ role: 'user', content: toWellFormed(request.prompt) }]
  }

  async run(): Promise<AgentRunResult> {
    try {
      const allowed = readAllowedTools(this.#request.allowedTools)
      if (typeof allowed === 'string') return { ...this.dead(allowed, 'other'), notStarted: true }
      const { access, env, reaper } = this.#options
      const { cwd, runId, path, attempt } = this.#request
      const root = await realpath(cwd).catch(() => undefined)
      if (root === undefined) {
        const error = `The folder "${cwd}", in which the agent should work, does not exist.`
        return { ...this.dead(error, 'other'), notStarted: true }
      }
      const context = {
        root,
        signal: this.#signal,
        env,
        cookie: { runId, call: path, attempt },
        ...(reaper && { reaper }),
      }
      return await this.#talk(new Toolbox(context, allowed, access, this.#request, this.#log, this.#answers))
    } catch (error) {
      if (this.#signal.aborted) {
        if (this.#isAsking) this.#forgetCost()
        return this.dead(CANCELLED, 'other')
      }
      return this.#describe(error)
    }
  }

  async #talk(toolbox: Toolbox): Promise<AgentRunResult> {
    const model = openModel({ ...this.#options, model: this.#modelName })
    const tools = [...toolbox.declarations, ...this.#outputTool()]
    while (this.#turns < this.#options.maxTurns) {
      this.#isAsking = true
      this.#before = this.#log.partial
      // One request after the other.
      // oxlint-disable-next-line no-await-in-loop
      const step = await streamStep(
        {
          model,
          tools,
          instructions: this.#instructions(toolbox),
          messages: this.#messages,
          effort: this.#request.effort,
          providerOptions: this.#providerOptions(),
          maxOutputTokens: this.#options.maxOutputTokens,
          signal: this.#signal,
        },
        this.#log,
      )
      this.#isAsking = false
      this.#turns++
      this.#count(step)
      const early = this.#judge(step)
      if (early !== undefined) return early
      this.#messages.push(...step.message)
      // oxlint-disable-next-line no-await-in-loop
      const outcome = step.calls.length > 0 ? await this.#perform(step, toolbox) : await this.#conclude(step.text)
      if (outcome !== undefined) return outcome
    }
    return this.dead(`The agent was not done after ${this.#options.maxTurns} requests (maxTurns).`, 'other')
  }

  async #perform(step: Step, toolbox: Toolbox): Promise<AgentRunResult | undefined> {
    const results: ToolContent = []
    for (const call of step.calls) {
      // In order: a later one may build upon what an earlier one did.
      // oxlint-disable-next-line no-await-in-loop
      const { text, failed } = await toolbox.perform(call)
      const value = toWellFormed(this.#options.redact(text))
      const output = { type: failed ? ('error-text' as const) : ('text' as const), value }
      results.push({ type: 'tool-result', toolCallId: call.id, toolName: call.name, output })
    }
    this.#signal.throwIfAborted()
    if (this.#answers.isAccepted) return this.#conclude('')
    if (this.#answers.isSpent && this.#request.structured) return this.#answers.failure(this.#usage)
    this.#messages.push({ role: 'tool', content: results })
    return undefined
  }

  async #conclude(text: string): Promise<AgentRunResult | undefined> {
    const outcome = await this.#answers.conclude(text, this.#usage)
    if (!('nudge' in outcome)) return outcome
    this.#messages.push({ role: 'user', content: outcome.nudge })
    return undefined
  }

  #judge({ finish, calls, text }: Step): AgentRunResult | undefined {
    switch (finish) {
      case 'content-filter':
        return this.dead(text.trim() === '' ? 'The model refused to answer (content filter).' : text, 'refused')
      case 'length':
        return this.dead(
          'The answer was cut at the limit of output tokens (maxOutputTokens in the settings of the back end).',
          'other',
        )
      case 'error':
        return this.dead('The model provider ended the answer with an error.', 'transient')
      case 'other':
        return calls.length > 0 || text !== '' ? undefined : this.dead('The model ended without an answer.', 'crashed')
      default:
        return undefined
    }
  }

  #describe(error: unknown): AgentRunResult {
    if (error instanceof OptionRefusedError) return { ...this.dead(error.message, 'other'), notStarted: true }
    // What had come of the answer is paid for, and nobody says how much that was.
    if (this.#log.partial !== this.#before) this.#forgetCost()
    if (error instanceof BrokenStreamError) return this.dead(error.message, 'transient')
    const { provider } = this.#options
    const { error: message, failure, ...more } = describeFailure(error, provider, this.#turns === 0, Date.now())
    return { ...this.dead(message === '' ? messageOf(error) : message, failure), ...more }
  }

  get #usage(): Usage {
    return this.#log.usage ?? { outputTokens: 0 }
  }

  #count({ usage, warnings }: Step): void {
    for (const warning of warnings) this.#warn('model-api/option', warning)
    if (usage === undefined) {
      this.#warn('model-api/usage', 'the provider tells no usage: neither a budget nor a cost can count it')
      return
    }
    const cost = this.#options.priceOf?.(this.#modelName, usage)
    this.#priced &&= cost !== undefined
    this.#log.addUsage({ ...usage, ...(cost !== undefined && { costUsd: cost }) })
    if (!this.#priced) this.#forgetCost()
  }

  #forgetCost(): void {
    if (this.#log.usage === undefined) return
    const { costUsd: _part, ...unpriced } = this.#log.usage
    this.#log.setUsage(unpriced)
  }

  #warn(code: string, message: string): void {
    if (this.#warned.has(message)) return
    this.#warned.add(message)
    this.#request.warn?.(code, this.#options.redact(message))
  }

  #instructions(toolbox: Toolbox): string {
    const { structured } = this.#request
    const parts = [agentFraming({ structured: structured !== undefined })]
    if (toolbox.declarations.length > 0)
      parts.push('Your tools work in one folder; paths are relative to it, and nothing outside of it can be reached.')
    if (structured) parts.push(`Hand your final answer over by the tool ${OUTPUT_TOOL}, in one call.`)
    return parts.join('\n\n')
  }

  #outputTool(): ToolDeclaration[] {
    const { structured } = this.#request
    if (structured === undefined) return []
    const { $schema: _dialect, ...inputSchema } = structured.objectSchema
    const description =
      'Hands over the final answer. Call it once, when the work is done; the answer is what you give here, not what you write.'
    return [{ name: OUTPUT_TOOL, description, inputSchema: { ...inputSchema, type: 'object' } }]
  }

  #providerOptions(): Parameters<typeof streamStep>[0]['providerOptions'] {
    // The SDK's own scale of efforts ends before it.
    const deepseek = this.#request.effort === 'max' ? { reasoningEffort: 'max' } : {}
    const { provider, api } = this.#options
    // Nothing of a call is to be kept by the provider: what the model thought is sent back to it.
    if (provider === 'openai' && api === 'responses') return { openai: { store: false } }
    // A conversation that goes on is sent whole each time: from its second request on it is worth being kept for a while. The
    // others do so by themselves.
    if (provider === 'anthropic' && this.#turns > 0) return { anthropic: { cacheControl: { type: 'ephemeral' } } }
    return provider === 'deepseek' ? { deepseek } : {}
  }

  dead(error: string, failure: FailureKind): Extract<AgentRunResult, { kind: 'dead' }> {
    const { usage, partial } = this.#log
    const { rejections } = this.#answers
    return {
      kind: 'dead',
      error: this.#options.redact(toWellFormed(error)),
      failure,
      ...(usage && { usage }),
      ...(partial !== '' && { partial: this.#options.redact(partial) }),
      ...(rejections > 0 && { rejections }),
    }
  }
}
