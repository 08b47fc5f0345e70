// opencode (`opencode run --format json`). It has no schema mode, and the process's end is what ends a turn.

import { isJsonObject, type JsonObject, type JsonValue, type Usage } from '../../../shared/index.ts'
import type { ProcessExit } from '../../process/start-process.ts'
import { parseWellFormed } from '../../well-formed.ts'
import type { AgentMessage } from '../messages.ts'
import { countAt, errorMessage, objectAt, readEvent, textAt, textMessage, toolMessage, toUsage } from './events.ts'
import type { Access, EventReader, Preset, PresetCall } from './preset.ts'

const ACCESS: Record<Access, JsonObject> = {
  read: { edit: 'deny', bash: 'deny' },
  write: {},
  full: { '*': 'allow', external_directory: 'allow' },
}

export const opencode: Preset = {
  name: 'opencode',
  program: 'opencode',
  capabilities: { models: true, effort: true, allowedTools: true, cost: true },
  schemaMode: () => 'prompt',
  start(call) {
    const { model, effort } = call.request
    return {
      args: [
        'run',
        '--format',
        'json',
        ...(model === undefined ? [] : ['--model', model]),
        ...(effort === undefined ? [] : ['--variant', effort]),
        ...(call.session === undefined ? [] : ['--session', call.session]),
      ],
      env: opencodeEnvironment(call),
    }
  },
  createReader: () => new OpencodeReader(),
}

/** The user's configuration with what a call changes in it: it is merged last. */
export function opencodeEnvironment({ request, env, access }: Omit<PresetCall, 'folder'>): Record<string, string> {
  const own = readConfig(env['OPENCODE_CONFIG_CONTENT'])
  const before = isJsonObject(own['permission']) ? own['permission'] : {}
  const permission: JsonObject = {
    ...before,
    ...ACCESS[access],
    ...(request.allowedTools && toPermissions(request.allowedTools)),
    // The tool of Weft, whatever its server is called in the user's configuration: agents start no workflows.
    '*_workflow': 'deny',
  }
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...own, permission }), OPENCODE_DISABLE_AUTOUPDATE: '1' }
}

function readConfig(text: string | undefined): JsonObject {
  if (text === undefined || text === '') return {}
  try {
    const value: JsonValue = parseWellFormed(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function toPermissions(tools: readonly string[]): JsonObject {
  return { '*': 'deny', ...Object.fromEntries(tools.map((tool) => [tool.toLowerCase(), 'allow'])) }
}

class OpencodeReader implements EventReader {
  session: string | undefined
  #text = ''
  #stopped: string | undefined

  read(line: string): AgentMessage[] | undefined {
    const event = readEvent(line)
    if (event === undefined) return undefined
    this.session = textAt(event, 'sessionID') ?? this.session
    const part = objectAt(event, 'part')
    switch (event.type) {
      case 'step_start':
        this.#stopped = undefined
        return []
      case 'text':
        this.#text = textAt(part, 'text') ?? ''
        return [textMessage(this.#text)]
      case 'reasoning':
        return []
      case 'tool_use':
        return [readTool(part)]
      case 'step_finish':
        return this.#finish(part)
      case 'error':
        return [readError(objectAt(event, 'error'))]
      default:
        return undefined
    }
  }

  end(exit: ProcessExit | undefined): AgentMessage | undefined {
    const stopped = this.#stopped
    this.#stopped = undefined
    if (stopped === undefined || exit?.code !== 0) return undefined
    if (stopped === 'content-filter') return errorMessage({ message: 'the model refused: content filter' })
    return { type: 'result', output: this.#text }
  }

  #finish(part: JsonObject): AgentMessage[] {
    const usage = readStepUsage(part)
    const reason = textAt(part, 'reason')
    // A step that ends in tool calls goes on.
    this.#stopped = reason === 'tool-calls' ? undefined : (reason ?? 'stop')
    return [{ type: 'usage', usage }]
  }
}

function readTool(part: JsonObject): AgentMessage {
  const state = objectAt(part, 'state')
  const status = state['status'] === 'error' ? 'failed' : state['status'] === 'completed' ? 'completed' : 'running'
  return toolMessage(textAt(part, 'tool') ?? 'tool', status, {
    title: textAt(state, 'title'),
    input: state['input'],
    output: state['output'] ?? state['error'],
  })
}

function readStepUsage(part: JsonObject): Usage {
  const tokens = objectAt(part, 'tokens')
  const cache = objectAt(tokens, 'cache')
  const reasoning = countAt(tokens, 'reasoning')
  return toUsage({
    outputTokens: countAt(tokens, 'output') + reasoning,
    inputTokens: countAt(tokens, 'input') + countAt(cache, 'read') + countAt(cache, 'write'),
    cacheReadTokens: countAt(cache, 'read'),
    cacheWriteTokens: countAt(cache, 'write'),
    reasoningTokens: reasoning,
    costUsd: countAt(part, 'cost'),
  })
}

function readError(error: JsonObject): AgentMessage {
  const data = objectAt(error, 'data')
  const headers = Object.entries(objectAt(data, 'responseHeaders')).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
  )
  const status = countAt(data, 'statusCode')
  return errorMessage({
    message: textAt(data, 'message') ?? textAt(error, 'name') ?? '',
    headers: Object.fromEntries(headers),
    ...(status > 0 && { status }),
  })
}
