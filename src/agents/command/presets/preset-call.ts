// One agent call by a preset: a process, and another one that continues its session for each answer that was refused.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentRequest, AgentRunResult } from '../../../engine/index.ts'
import { toWellFormed, type AgentProgress } from '../../../shared/index.ts'
import { agentFraming } from '../../framing.ts'
import type { Reaper } from '../../process/reaper-client.ts'
import { startProcess, type StartedProcess } from '../../process/start-process.ts'
import { correctionPrompt, readJsonAnswer, schemaInstructions } from '../../structured-output/read-json-answer.ts'
import { Conversation } from '../conversation.ts'
import type { AgentMessage } from '../messages.ts'
import { cancelledBefore, describeStart, ProcessCall, type CommandTiming } from '../process-call.ts'
import type { Access, EventReader, Preset, PresetCall } from './preset.ts'

export interface PresetCallOptions {
  preset: Preset
  /** The program and what stands before the preset's own arguments. */
  command: readonly string[]
  /** Behind the preset's own. */
  extraArgs: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  access: Access
  maxLineBytes: number
  timing: CommandTiming
  reaper?: Reaper
}

/** Never rejects for what the process does; settles with nothing of it left, its folder included. */
export async function runPresetCall(
  options: PresetCallOptions,
  request: AgentRequest,
  signal: AbortSignal,
  onProgress: (progress: AgentProgress) => void,
): Promise<AgentRunResult> {
  if (signal.aborted) return cancelledBefore()
  const folder = await mkdtemp(join(tmpdir(), 'weft-agent-'))
  const { preset, env, access } = options
  const call: PresetCall = { request, folder, env, access }
  try {
    await preset.prepare?.(call)
    const result = await new PresetRun(options, call, signal, onProgress).run()
    await preset.finish?.(call)
    return result
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

class PresetRun {
  readonly #options: PresetCallOptions
  readonly #call: PresetCall
  readonly #signal: AbortSignal
  readonly #reader: EventReader
  readonly #conversation: Conversation
  #refused: readonly string[] = []

  constructor(
    options: PresetCallOptions,
    call: PresetCall,
    signal: AbortSignal,
    onProgress: (progress: AgentProgress) => void,
  ) {
    const { request } = call
    this.#options = options
    this.#call = call
    this.#signal = signal
    this.#reader = options.preset.createReader(request)
    this.#conversation = new Conversation({
      request,
      onProgress,
      maxLineBytes: options.maxLineBytes,
      parse: (line) => this.#reader.read(line)?.map((message) => this.#toAnswer(message)),
      sendBack: (errors) => {
        this.#refused = errors
      },
    })
  }

  async run(): Promise<AgentRunResult> {
    let input = this.#firstInput()
    for (;;) {
      // One process after the other: each continues the one before it.
      // oxlint-disable-next-line no-await-in-loop
      const result = await this.#process(input)
      if (result !== 'again') return result
      if (this.#reader.session === undefined) return this.#conversation.endedWithout('ended')
      if (this.#signal.aborted) return cancelledBefore()
      input = correctionPrompt(this.#refused)
    }
  }

  async #process(input: string): Promise<AgentRunResult | 'again'> {
    const { preset, command, extraArgs, env, reaper, timing } = this.#options
    const { request } = this.#call
    const { session } = this.#reader
    const start = preset.start({ ...this.#call, ...(session !== undefined && { session }) })
    let started: StartedProcess
    try {
      started = await startProcess({
        command: [...command, ...start.args, ...extraArgs],
        cwd: request.cwd,
        env: { ...env, ...start.env },
        cookie: { runId: request.runId, call: request.path, attempt: request.attempt },
        ...(reaper && { reaper }),
      })
    } catch (error) {
      return describeStart(error)
    }
    const { child } = started
    try {
      return await new ProcessCall(started, this.#conversation, timing, {
        input,
        closeInput: true,
        atEnd: (exit) => {
          const message = this.#reader.end(exit)
          return message && this.#toAnswer(message)
        },
      }).run(this.#signal)
    } finally {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
      started.release()
    }
  }

  #firstInput(): string {
    const { request } = this.#call
    const { structured } = request
    const parts = [agentFraming({ structured: structured !== undefined }), toWellFormed(request.prompt)]
    if (structured && this.#options.preset.schemaMode(request) === 'prompt')
      parts.push(schemaInstructions(structured.schema))
    return parts.join('\n\n')
  }

  /** Where the schema was told in words, the JSON is looked for in the text. */
  #toAnswer(message: AgentMessage): AgentMessage {
    if (message.type !== 'result' || typeof message.output !== 'string' || message.form !== undefined) return message
    return this.#call.request.structured ? { ...message, output: readJsonAnswer(message.output) } : message
  }
}
