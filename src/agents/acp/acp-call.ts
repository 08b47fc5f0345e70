// One agent call by the Agent Client Protocol: one process and one session, from its start to the end of all it started.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  methods,
  RequestError,
  type ClientConnection,
  type NewSessionResponse,
} from '@agentclientprotocol/sdk/unstable'
import type { AgentRequest, AgentRunResult } from '../../engine/index.ts'
import { toWellFormed, type AgentProgress, type FailureKind } from '../../shared/index.ts'
import { CallLog } from '../command/call-log.ts'
import { textAt } from '../command/presets/events.ts'
import { CANCELLED, cancelledBefore, describeStart, type CommandTiming } from '../command/process-call.ts'
import { messageOf } from '../errors.ts'
import { classifyError } from '../failures/classify-error.ts'
import { agentFraming } from '../framing.ts'
import { endGroup } from '../process/end-group.ts'
import type { Reaper } from '../process/reaper-client.ts'
import { startProcess, type StartedProcess } from '../process/start-process.ts'
import { within } from '../process/within.ts'
import { OUTPUT_SERVER, OUTPUT_TOOL } from '../structured-output/output-names.ts'
import { serveOutputTool, type OutputTool } from '../structured-output/output-tool.ts'
import { connectClient } from './client.ts'
import { readTurnUsage, type AcpPreset } from './presets.ts'
import { chooseOption } from './session-options.ts'
import { SessionUpdates } from './session-updates.ts'
import { StructuredAnswers } from '../structured-output/structured-answers.ts'
import { toJson } from '../to-json.ts'

export interface AcpCallOptions {
  command: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  preset?: AcpPreset
  mode?: string
  timing: CommandTiming
  reaper?: Reaper
}

/** Never rejects for what the agent does; settles with nothing of it left. */
export async function runAcpCall(
  options: AcpCallOptions,
  request: AgentRequest,
  signal: AbortSignal,
  onProgress: (progress: AgentProgress) => void,
): Promise<AgentRunResult> {
  if (signal.aborted) return cancelledBefore()
  const folder = await mkdtemp(join(tmpdir(), 'weft-agent-'))
  let started: StartedProcess
  try {
    const own = await options.preset?.environment?.({ request, folder, env: options.env })
    started = await startProcess({
      command: options.command,
      cwd: request.cwd,
      env: { ...options.env, ...own },
      cookie: { runId: request.runId, call: request.path, attempt: request.attempt },
      ...(options.reaper && { reaper: options.reaper }),
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    return describeStart(error)
  }
  try {
    return await new AcpCall(options, request, started, onProgress).run(signal)
  } finally {
    const { child } = started
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    started.release()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

class AcpCall {
  readonly #options: AcpCallOptions
  readonly #request: AgentRequest
  readonly #process: StartedProcess
  readonly #log: CallLog
  readonly #updates: SessionUpdates
  readonly #answers: StructuredAnswers
  readonly #connection: ClientConnection
  #session: NewSessionResponse | undefined
  #canClose = false
  #tool: OutputTool | undefined
  #onSpent = (): void => {}

  constructor(
    options: AcpCallOptions,
    request: AgentRequest,
    started: StartedProcess,
    onProgress: (progress: AgentProgress) => void,
  ) {
    this.#options = options
    this.#request = request
    this.#process = started
    this.#log = new CallLog(onProgress)
    this.#updates = new SessionUpdates(this.#log)
    this.#answers = new StructuredAnswers(request, this.#log, () => this.#onSpent())
    this.#log.readStderr(started.child.stderr)
    this.#connection = connectClient(started, request, this.#log, this.#updates)
  }

  async run(signal: AbortSignal): Promise<AgentRunResult> {
    let onAbort = (): void => {}
    const cancelled = new Promise<AgentRunResult>((resolve) => {
      onAbort = () => {
        this.#log.close()
        void this.#cancel().then(() => resolve(this.#dead(CANCELLED, 'other')))
      }
    })
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    const spent = new Promise<AgentRunResult>((resolve) => {
      this.#onSpent = () => resolve(this.#answers.failure(this.#log.usage))
    })
    const talked = this.#talk().catch((error: unknown) => this.#describe(error))
    try {
      const result = await Promise.race([talked, spent, cancelled])
      // Whatever it answers to a cancel, it was cancelled because we asked.
      return signal.aborted ? this.#dead(CANCELLED, 'other') : result
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#log.close()
      await this.#end()
    }
  }

  async #talk(): Promise<AgentRunResult> {
    const { agent } = this.#connection
    const hello = await agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: 'weft', title: 'Weft', version: '1' },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    })
    this.#canClose = hello.agentCapabilities?.sessionCapabilities?.close !== undefined
    const { structured, cwd } = this.#request
    if (structured) this.#tool = await serveOutputTool(structured, this.#answers.judge)
    const session: NewSessionResponse = await agent.request(methods.agent.session.new, {
      cwd,
      mcpServers: this.#servers(),
    })
    this.#session = session
    const refusal = await this.#choose(session)
    if (refusal !== undefined) return { ...this.#dead(refusal, 'other'), notStarted: true }
    let input = this.#firstInput()
    for (;;) {
      // One turn after the other.
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await this.#turn(input, session.sessionId)
      if (!('nudge' in outcome)) return outcome
      input = outcome.nudge
    }
  }

  #servers() {
    if (this.#tool === undefined) return []
    const { command, args, env } = this.#tool
    return [{ name: OUTPUT_SERVER, command, args, env: Object.entries(env).map(([name, value]) => ({ name, value })) }]
  }

  async #choose(session: NewSessionResponse): Promise<string | undefined> {
    const { model, effort } = this.#request
    const { agent } = this.#connection
    const mode = this.#options.mode
    const wishes = [
      ...(model === undefined ? [] : [{ category: 'model', name: 'model', value: model }]),
      ...(effort === undefined ? [] : [{ category: 'thought_level', name: 'effort', value: effort }]),
      ...(mode === undefined ? [] : [{ category: 'mode', name: 'mode', value: mode }]),
    ]
    for (const wish of wishes) {
      // The choice of a model may change which efforts there are.
      // oxlint-disable-next-line no-await-in-loop
      const refusal = await chooseOption(agent, session, wish)
      if (refusal !== undefined) return refusal
    }
    const preferred = this.#options.preset?.mode
    if (mode === undefined && preferred !== undefined)
      await chooseOption(agent, session, { category: 'mode', name: 'mode', value: preferred })
    return undefined
  }

  #firstInput(): string {
    const { prompt, structured } = this.#request
    const parts = [agentFraming({ structured: structured !== undefined }), toWellFormed(prompt)]
    if (structured) parts.push(`Hand your final answer over by the tool ${OUTPUT_TOOL}, in one call.`)
    return parts.join('\n\n')
  }

  async #turn(text: string, sessionId: string): Promise<AgentRunResult | { nudge: string }> {
    this.#updates.begin()
    const response = await this.#connection.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text }],
    })
    const turn = readTurnUsage(response)
    if (turn) this.#log.addUsage(turn)
    const { costUsd, answer } = this.#updates
    if (costUsd !== undefined && costUsd > 0)
      this.#log.setUsage({ ...(this.#log.usage ?? { outputTokens: 0 }), costUsd })
    const usage = this.#log.usage ?? { outputTokens: 0 }
    switch (response.stopReason) {
      case 'refusal':
        return this.#dead(answer === '' ? 'the agent refused' : answer, 'refused')
      case 'max_tokens':
      case 'max_turn_requests':
        return this.#dead(`the agent stopped before it was done (${response.stopReason})`, 'other')
      case 'cancelled':
        return this.#dead('the agent says that its turn was cancelled', 'other')
      default:
        return this.#answers.conclude(answer, usage)
    }
  }

  async #describe(error: unknown): Promise<AgentRunResult> {
    if (this.#connection.signal.aborted) {
      const exit = await within(this.#process.exited, this.#options.timing.exitMs)
      const how =
        exit === undefined
          ? 'closed its output'
          : exit.signal === null
            ? `exited with code ${String(exit.code)}`
            : `was ended by ${exit.signal}`
      const stderr = this.#log.stderr.trim()
      const tail = stderr === '' ? '' : ` Its stderr ends:\n${stderr}`
      return this.#dead(`The agent process ${how} without a result.${tail}`, 'crashed')
    }
    const detail = error instanceof RequestError ? textAt(toJson(error.data), 'details') : undefined
    const message = detail ?? messageOf(error)
    const { failure, rateLimited, retryAfterMs } = classifyError({ message })
    // The protocol's own code for it.
    const kind = error instanceof RequestError && error.code === -32000 && failure === 'other' ? 'auth' : failure
    return {
      ...this.#dead(message, kind),
      ...(rateLimited === true && { rateLimited }),
      ...(retryAfterMs !== undefined && { retryAt: Date.now() + retryAfterMs }),
    }
  }

  #dead(error: string, failure: FailureKind): Extract<AgentRunResult, { kind: 'dead' }> {
    const { usage, partial } = this.#log
    const { rejections } = this.#answers
    return {
      kind: 'dead',
      error: toWellFormed(error),
      failure,
      ...(usage && { usage }),
      ...(partial !== '' && { partial }),
      ...(rejections > 0 && { rejections }),
    }
  }

  async #cancelTurn(): Promise<void> {
    const sessionId = this.#session?.sessionId
    if (sessionId !== undefined)
      await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {})
  }

  /** The agent is told, and has a moment to end its turn by itself. */
  async #cancel(): Promise<void> {
    await this.#cancelTurn()
    if (this.#session !== undefined)
      await within(this.#process.exited, Math.min(500, this.#options.timing.cancelToTermMs))
  }

  async #end(): Promise<void> {
    const { child, exited, group } = this.#process
    const { exitMs, leftoverMs } = this.#options.timing
    const sessionId = this.#session?.sessionId
    if (this.#canClose && sessionId !== undefined && !this.#connection.signal.aborted)
      await within(
        this.#connection.agent.request(methods.agent.session.close, { sessionId }).catch(() => {}),
        exitMs,
      )
    child.stdin.end()
    child.stdout.resume()
    await within(exited, exitMs)
    await endGroup(group, { killAfterMs: leftoverMs })
    this.#connection.close()
    await this.#tool?.close()
  }
}
