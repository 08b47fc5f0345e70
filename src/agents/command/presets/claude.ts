// Claude Code (`claude -p`), whose protocol Qwen Code speaks too. It is what the user installed: nothing of it comes with Weft.

import type { AgentRequest } from '../../../engine/index.ts'
import { isJsonObject, type JsonObject, type JsonValue, type Usage } from '../../../shared/index.ts'
import type { AgentMessage } from '../messages.ts'
import {
  countAt,
  errorMessage,
  listAt,
  objectAt,
  readEvent,
  textAt,
  textMessage,
  toText,
  toolMessage,
  toUsage,
} from './events.ts'
import type { EventReader, Preset } from './preset.ts'

const MODES = { read: 'plan', write: 'acceptEdits', full: 'bypassPermissions' } as const

export const claude: Preset = {
  name: 'claude',
  program: 'claude',
  capabilities: { models: true, effort: true, allowedTools: true, cost: true },
  schemaMode: () => 'native',
  start({ request, access, session }) {
    const { structured, model, effort, allowedTools } = request
    return {
      args: [
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        // No tool servers of the user's: an agent must not start workflows.
        '--strict-mcp-config',
        '--permission-mode',
        MODES[access],
        ...(structured ? ['--json-schema', JSON.stringify(structured.objectSchema)] : []),
        ...(model === undefined ? [] : ['--model', model]),
        ...(effort === undefined ? [] : ['--effort', effort]),
        ...(allowedTools === undefined ? [] : toolFlags(allowedTools)),
        ...(session === undefined ? [] : ['--resume', session]),
      ],
    }
  },
  createReader: (request) => new ClaudeReader(request, 'structured_output'),
}

/** `--tools` says which there are (by name alone), `--allowedTools` which need no leave (patterns too). */
function toolFlags(allowed: readonly string[]): string[] {
  const names = [...new Set(allowed.map((tool) => tool.replace(/\(.*$/s, '')))]
  return ['--tools', names.join(','), ...(allowed.length === 0 ? [] : ['--allowedTools', allowed.join(',')])]
}

export class ClaudeReader implements EventReader {
  session: string | undefined
  readonly #request: AgentRequest
  readonly #structuredKey: string
  readonly #tools = new Map<string, string>()

  /** `structuredKey`: where the result event has the value that the schema asked for. */
  constructor(request: AgentRequest, structuredKey: string) {
    this.#request = request
    this.#structuredKey = structuredKey
  }

  read(line: string): AgentMessage[] | undefined {
    const event = readEvent(line)
    if (event === undefined) return undefined
    this.session = textAt(event, 'session_id') ?? this.session
    switch (event.type) {
      case 'assistant':
        return listAt(event['message'], 'content').flatMap((block) => this.#block(block))
      case 'user':
        return listAt(event['message'], 'content').flatMap((block) => this.#toolResult(block))
      case 'result':
        return textAt(event, 'subtype') === undefined ? undefined : this.#result(event)
      case 'system':
      case 'stream_event':
      case 'rate_limit_event':
        return []
      default:
        return undefined
    }
  }

  end(): undefined {
    return undefined
  }

  #block(block: JsonObject): AgentMessage[] {
    const text = textAt(block, 'text')
    if (block['type'] === 'text' && text !== undefined && text !== '') return [textMessage(text)]
    if (block['type'] !== 'tool_use') return []
    const name = textAt(block, 'name') ?? 'tool'
    this.#tools.set(textAt(block, 'id') ?? '', name)
    return [toolMessage(name, 'running', { input: block['input'] })]
  }

  #toolResult(block: JsonObject): AgentMessage[] {
    if (block['type'] !== 'tool_result') return []
    const tool = this.#tools.get(textAt(block, 'tool_use_id') ?? '') ?? 'tool'
    return [toolMessage(tool, block['is_error'] === true ? 'failed' : 'completed', { output: block['content'] })]
  }

  #result(event: JsonObject): AgentMessage[] {
    const usage: AgentMessage = { type: 'usage', usage: readUsage(event) }
    const text = textAt(event, 'result')
    if (event['is_error'] === true || event['subtype'] !== 'success') {
      const told = toText(event['errors'])
      const message =
        text ||
        told ||
        textAt(objectAt(event, 'error'), 'message') ||
        `ended with ${textAt(event, 'subtype') ?? 'an error'}`
      const status = countAt(event, 'api_error_status')
      return [usage, errorMessage({ message, ...(status > 0 && { status }) })]
    }
    const value = event[this.#structuredKey]
    if (this.#request.structured && value !== undefined && value !== null)
      return [usage, { type: 'result', output: value, form: 'wrapped' }]
    return [usage, { type: 'result', output: text ?? '' }]
  }
}

/** Of this process; `modelUsage` counts its sub-agents too. */
function readUsage(event: JsonObject): Usage {
  const models = event['modelUsage']
  const parts = isJsonObject(models) ? Object.values(models) : []
  const costUsd = countAt(event, 'total_cost_usd')
  if (parts.length > 0) {
    const sum = (key: string): number => parts.reduce((total: number, part) => total + countAt(part, key), 0)
    const [read, written] = [sum('cacheReadInputTokens'), sum('cacheCreationInputTokens')]
    return toUsage({
      outputTokens: sum('outputTokens'),
      inputTokens: sum('inputTokens') + read + written,
      cacheReadTokens: read,
      cacheWriteTokens: written,
      reasoningTokens: 0,
      costUsd,
    })
  }
  return fromApi(event['usage'], costUsd)
}

function fromApi(usage: JsonValue | undefined, costUsd: number): Usage {
  const read = countAt(usage, 'cache_read_input_tokens')
  const written = countAt(usage, 'cache_creation_input_tokens')
  return toUsage({
    outputTokens: countAt(usage, 'output_tokens'),
    inputTokens: countAt(usage, 'input_tokens') + read + written,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    reasoningTokens: 0,
    costUsd,
  })
}
