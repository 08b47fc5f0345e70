// The tools of one call: what the model asks for is checked, asked leave for where that is due, done, and shown.

import type { AgentRequest } from '../../engine/index.ts'
import { cutText, toWellFormed, type JsonObject } from '../../shared/index.ts'
import type { CallLog } from '../command/call-log.ts'
import { clip } from '../command/messages.ts'
import { messageOf } from '../errors.ts'
import { OUTPUT_TOOL } from '../structured-output/output-names.ts'
import type { StructuredAnswers } from '../structured-output/structured-answers.ts'
import { refuseCommand, type AllowedTools } from './allowed-tools.ts'
import { askLeave, type Access } from './leave.ts'
import type { ToolCall, ToolDeclaration } from './stream-step.ts'
import { listTool } from './tools/list-files.ts'
import { readTool } from './tools/read-file.ts'
import { runTool } from './tools/run-command.ts'
import { searchTool } from './tools/search-files.ts'
import { MAX_OUTPUT_UNITS, ToolError, wordsIn, type Tool, type ToolContext } from './tools/tool.ts'
import { writeTool } from './tools/write-file.ts'

const ALL: readonly Tool[] = [readTool, listTool, searchTool, writeTool, runTool]

export interface Outcome {
  text: string
  failed: boolean
}

export class Toolbox {
  readonly #context: ToolContext
  readonly #allowed: AllowedTools
  readonly #access: Access
  readonly #request: AgentRequest
  readonly #log: CallLog
  readonly #answers: StructuredAnswers
  readonly #tools: readonly Tool[]
  #questions = 0

  constructor(
    context: ToolContext,
    allowed: AllowedTools,
    access: Access,
    request: AgentRequest,
    log: CallLog,
    answers: StructuredAnswers,
  ) {
    this.#context = context
    this.#allowed = allowed
    this.#access = access
    this.#request = request
    this.#log = log
    this.#answers = answers
    this.#tools = ALL.filter(({ name }) => allowed.names.has(name))
  }

  get declarations(): readonly ToolDeclaration[] {
    return this.#tools
  }

  /** Never rejects: what goes wrong is told to the model. */
  async perform({ name, input }: ToolCall): Promise<Outcome> {
    if (name === OUTPUT_TOOL && this.#request.structured) return this.#takeAnswer(input)
    const tool = this.#tools.find((one) => one.name === name)
    const title = tool === undefined || input === undefined ? '' : cutText(toWellFormed(tool.title(input)), 300)
    const shown = { kind: 'tool' as const, tool: name, ...(title !== '' && { title }) }
    this.#log.progress({ ...shown, ...(input !== undefined && { input }), status: 'running' })
    const outcome = await this.#try(tool, name, input)
    const output = clip(outcome.text)
    this.#log.progress({ ...shown, output, status: outcome.failed ? 'failed' : 'completed' })
    return outcome
  }

  async #takeAnswer(answer: JsonObject | undefined): Promise<Outcome> {
    if (this.#answers.isAccepted) return { text: 'An answer has been accepted already.', failed: true }
    // What is no object at all is judged as such, and counted.
    const verdict = await this.#answers.judge(answer ?? null)
    return verdict.ok
      ? { text: 'The answer is accepted.', failed: false }
      : { text: `The answer does not match the schema: ${verdict.errors.join('; ')}`, failed: true }
  }

  async #try(tool: Tool | undefined, name: string, input: JsonObject | undefined): Promise<Outcome> {
    try {
      if (tool === undefined) {
        const names = this.#tools.map((one) => one.name).join(', ') || 'none'
        throw new ToolError(`There is no tool "${name}"; there is: ${names}`)
      }
      if (input === undefined) throw new ToolError('What was given to the tool is no JSON object.')
      const command = tool.name === 'run' ? wordsIn(input, 'command') : undefined
      const refusal = command === undefined ? undefined : refuseCommand(command, this.#allowed.commands)
      if (refusal !== undefined) throw new ToolError(refusal)
      if (!(await askLeave(tool, input, this.#access, this.#request, ++this.#questions)))
        throw new ToolError('The user did not allow it. Do without, or say in your answer what you could not do.')
      this.#context.signal.throwIfAborted()
      return { text: cutText(await tool.run(input, this.#context), MAX_OUTPUT_UNITS + 1_000), failed: false }
    } catch (error) {
      return { text: messageOf(error), failed: true }
    }
  }
}
