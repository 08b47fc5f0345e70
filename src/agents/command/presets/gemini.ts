// Gemini CLI (`gemini -o stream-json`). It has neither a schema mode nor an effort, and can't be kept to some tools.

import type { JsonObject, Usage } from '../../../shared/index.ts'
import type { AgentMessage } from '../messages.ts'
import {
  countAt,
  errorMessage,
  noteMessage,
  objectAt,
  readEvent,
  textAt,
  textMessage,
  toolMessage,
  toUsage,
} from './events.ts'
import type { EventReader, Preset } from './preset.ts'

const APPROVAL = { read: 'plan', write: 'auto_edit', full: 'yolo' } as const

export const gemini: Preset = {
  name: 'gemini',
  program: 'gemini',
  capabilities: { models: true, effort: false, allowedTools: false, cost: false },
  schemaMode: () => 'prompt',
  start: ({ request: { model }, access, session }) => ({
    args: [
      '--output-format',
      'stream-json',
      '--skip-trust',
      '--approval-mode',
      APPROVAL[access],
      // A name that no server has: an agent must not start workflows.
      '--allowed-mcp-server-names',
      'weft-none',
      ...(model === undefined ? [] : ['--model', model]),
      ...(session === undefined ? [] : ['--resume', session]),
    ],
  }),
  createReader: () => new GeminiReader(),
}

class GeminiReader implements EventReader {
  session: string | undefined
  #text = ''
  readonly #tools = new Map<string, string>()

  read(line: string): AgentMessage[] | undefined {
    const event = readEvent(line)
    if (event === undefined) return undefined
    switch (event.type) {
      case 'init':
        this.session = textAt(event, 'session_id') ?? this.session
        this.#text = ''
        return []
      case 'message':
        return this.#message(event)
      case 'tool_use': {
        // What was said before a tool call is not the answer.
        this.#text = ''
        const tool = textAt(event, 'tool_name') ?? 'tool'
        this.#tools.set(textAt(event, 'tool_id') ?? '', tool)
        return [toolMessage(tool, 'running', { input: event['parameters'] })]
      }
      case 'tool_result': {
        const tool = this.#tools.get(textAt(event, 'tool_id') ?? '') ?? 'tool'
        const status = event['status'] === 'error' ? 'failed' : 'completed'
        return [toolMessage(tool, status, { output: event['output'] })]
      }
      case 'error':
        return [noteMessage(textAt(event, 'message') ?? 'error')]
      case 'result':
        return textAt(event, 'status') === undefined ? undefined : this.#result(event)
      default:
        return undefined
    }
  }

  end(): undefined {
    return undefined
  }

  #message(event: JsonObject): AgentMessage[] {
    const text = textAt(event, 'content') ?? ''
    if (event['role'] !== 'assistant' || text === '') return []
    this.#text = event['delta'] === true ? this.#text + text : text
    return [textMessage(text)]
  }

  #result(event: JsonObject): AgentMessage[] {
    const usage: AgentMessage = { type: 'usage', usage: readUsage(objectAt(event, 'stats')) }
    if (event['status'] === 'success') return [usage, { type: 'result', output: this.#text }]
    return [usage, errorMessage({ message: textAt(objectAt(event, 'error'), 'message') ?? '' })]
  }
}

/** Of this process. */
function readUsage(stats: JsonObject): Usage {
  return toUsage({
    outputTokens: countAt(stats, 'output_tokens'),
    inputTokens: countAt(stats, 'input_tokens'),
    cacheReadTokens: countAt(stats, 'cached'),
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  })
}
