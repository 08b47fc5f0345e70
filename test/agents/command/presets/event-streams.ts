// The event streams of command-line agents, as they were recorded from the real ones (opencode 1.18.33, codex 0.171.0,
// gemini-cli 0.61, qwen-code 0.24.4; Claude Code's by its documentation), for a behaviour that a test asks for.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  COMMAND_PRESETS,
  createPresetBackend,
  type CommandPresetName,
  type PresetBackendOptions,
} from '../../../../src/agents/command/presets/preset-backend.ts'
import type { AgentBackend, AgentRequest } from '../../../../src/engine/index.ts'
import type { JsonObject, JsonValue } from '../../../../src/shared/index.ts'
import type { Behaviour } from '../../conformance.ts'
import { agentFile } from '../../requests.ts'

interface Round {
  lines: string[]
  /** Shell. */
  after?: string
}

/** A back end whose program is the fake CLI; it behaves as asked in each call. `folders` gets what each call was given. */
export function fakePreset(
  name: CommandPresetName,
  behaviour: Behaviour,
  root: string,
  options: Partial<PresetBackendOptions> & { folders?: string[] } = {},
): AgentBackend {
  const { folders, ...rest } = options
  const make = (folder: string): AgentBackend =>
    createPresetBackend({
      id: name,
      preset: name,
      command: [agentFile('fake-cli.sh')],
      inheritedEnv: { ...process.env, HOME: root, CODEX_HOME: join(root, 'user-codex'), WEFT_TEST_CLI: folder },
      ...rest,
    })
  return {
    ...make(root),
    runner: {
      run(request, host, signal, onProgress) {
        const folder = mkdtempSync(join(root, 'call-'))
        folders?.push(folder)
        mkdirSync(folder, { recursive: true })
        for (const [n, { lines, after }] of toRounds(name, behaviour, request).entries()) {
          writeFileSync(join(folder, `out.${n}`), lines.map((line) => `${line}\n`).join(''))
          if (after !== undefined) writeFileSync(join(folder, `then.${n}`), `${after}\n`)
        }
        return make(folder).runner.run(request, host, signal, onProgress)
      },
    },
  }
}

function toRounds(name: CommandPresetName, behaviour: Behaviour, request: AgentRequest): Round[] {
  const speak = STREAMS[name]
  switch (behaviour.kind) {
    case 'answer': {
      const { answers, progress = [], usage = { outputTokens: 5 }, afterMs = 0 } = behaviour
      return answers.map((answer, n) => {
        const shown = n === 0 ? progress.flatMap((one) => speak.progress(one)) : []
        const lines = [...speak.begin, ...shown, ...speak.answer(shape(name, answer, request), usage, request)]
        const wait = `sleep ${afterMs / 1000}`
        return afterMs === 0
          ? { lines: lines.map(toLine) }
          : { lines: [], after: `${wait}\ncat <<'END'\n${lines.map(toLine).join('\n')}\nEND` }
      })
    }
    case 'error':
      return [{ lines: [...speak.begin, ...speak.error(behaviour.message)].map(toLine), after: 'exit 1' }]
    case 'hang':
      return [
        {
          lines: [...speak.begin, ...speak.progress({ kind: 'text', text: behaviour.text })].map(toLine),
          after: 'sleep 600',
        },
      ]
    case 'crash':
      return [
        {
          lines: [...speak.begin, ...speak.progress({ kind: 'text', text: behaviour.text })].map(toLine),
          after: 'kill -SEGV $$',
        },
      ]
    case 'silence':
      return [{ lines: [] }]
    case 'garbage':
      return [
        {
          lines: [
            ...behaviour.lines,
            ...[...speak.begin, ...speak.answer(behaviour.answer, { outputTokens: 1 }, request)].map(toLine),
          ],
        },
      ]
  }
}

const toLine = (event: JsonObject): string => JSON.stringify(event)

/** As the CLI would give it: in its native mode for the schema with an object at its root. */
function shape(name: CommandPresetName, answer: JsonValue, request: AgentRequest): JsonValue {
  const { structured } = request
  if (structured === undefined) return answer
  const native = COMMAND_PRESETS[name].schemaMode(request) === 'native'
  return native && structured.wrapped ? { value: answer } : answer
}

const toText = (answer: JsonValue, request: AgentRequest): string =>
  typeof answer === 'string' && request.structured === undefined ? answer : JSON.stringify(answer)

type Shown = NonNullable<Extract<Behaviour, { kind: 'answer' }>['progress']>[number]
type Used = NonNullable<Extract<Behaviour, { kind: 'answer' }>['usage']>

interface Stream {
  begin: JsonObject[]
  progress(shown: Shown): JsonObject[]
  answer(answer: JsonValue, usage: Used, request: AgentRequest): JsonObject[]
  error(message: string): JsonObject[]
}

function claudeLike(structuredKey: string, cost: boolean): Stream {
  const assistant = (block: JsonObject): JsonObject => ({
    type: 'assistant',
    session_id: 'S1',
    message: { role: 'assistant', content: [block] },
  })
  return {
    begin: [{ type: 'system', subtype: 'init', session_id: 'S1', tools: [], mcp_servers: [], model: 'm' }],
    progress(shown) {
      if (shown.kind === 'text') return [assistant({ type: 'text', text: shown.text })]
      if (shown.status === 'running')
        return [assistant({ type: 'tool_use', id: 't1', name: shown.tool, input: shown.input ?? {} })]
      const result = { type: 'tool_result', tool_use_id: 't1', is_error: false, content: shown.output ?? '' }
      return [{ type: 'user', session_id: 'S1', message: { role: 'user', content: [result] } }]
    },
    answer: (answer, usage, request) => [
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        session_id: 'S1',
        result: toText(answer, request),
        ...(request.structured && { [structuredKey]: answer }),
        ...(cost && usage.costUsd !== undefined && { total_cost_usd: usage.costUsd }),
        usage: {
          input_tokens: (usage.inputTokens ?? 0) - (usage.cacheReadTokens ?? 0),
          cache_read_input_tokens: usage.cacheReadTokens ?? 0,
          output_tokens: usage.outputTokens,
        },
      },
    ],
    error: (message) => [
      { type: 'result', subtype: 'error_during_execution', is_error: true, session_id: 'S1', error: { message } },
    ],
  }
}

const codex: Stream = {
  begin: [{ type: 'thread.started', thread_id: 'S1' }, { type: 'turn.started' }],
  progress(shown) {
    if (shown.kind === 'text')
      return [{ type: 'item.completed', item: { id: 'i', type: 'agent_message', text: shown.text } }]
    const item = { id: 'i', type: 'mcp_tool_call', server: 's', tool: shown.tool, arguments: shown.input ?? null }
    if (shown.status === 'running') return [{ type: 'item.started', item: { ...item, status: 'in_progress' } }]
    const result = { content: [{ type: 'text', text: shown.output ?? '' }] }
    return [{ type: 'item.completed', item: { ...item, result, status: 'completed' } }]
  },
  answer: (answer, usage, request) => [
    { type: 'item.completed', item: { id: 'i', type: 'agent_message', text: toText(answer, request) } },
    {
      type: 'turn.completed',
      usage: {
        input_tokens: usage.inputTokens ?? 0,
        cached_input_tokens: usage.cacheReadTokens ?? 0,
        cache_write_input_tokens: 0,
        output_tokens: usage.outputTokens,
        reasoning_output_tokens: usage.reasoningTokens ?? 0,
      },
    },
  ],
  error: (message) => [
    { type: 'error', message },
    { type: 'turn.failed', error: { message } },
  ],
}

const ofOpencode = (type: string, part: JsonObject): JsonObject => ({ type, timestamp: 1, sessionID: 'S1', part })

const opencode: Stream = {
  begin: [ofOpencode('step_start', { type: 'step-start' })],
  progress(shown) {
    if (shown.kind === 'text') return [ofOpencode('text', { type: 'text', text: shown.text })]
    const { tool, title = '', input = {}, output = '', status = 'running' } = shown
    return [ofOpencode('tool_use', { type: 'tool', tool, state: { status, title, input, output } })]
  },
  answer: (answer, usage, request) => [
    ofOpencode('text', { type: 'text', text: toText(answer, request) }),
    ofOpencode('step_finish', {
      type: 'step-finish',
      reason: 'stop',
      cost: usage.costUsd ?? 0,
      tokens: {
        input: (usage.inputTokens ?? 0) - (usage.cacheReadTokens ?? 0),
        output: usage.outputTokens - (usage.reasoningTokens ?? 0),
        reasoning: usage.reasoningTokens ?? 0,
        cache: { read: usage.cacheReadTokens ?? 0, write: 0 },
      },
    }),
  ],
  error: (message) => [{ type: 'error', sessionID: 'S1', error: { name: 'UnknownError', data: { message } } }],
}

const gemini: Stream = {
  begin: [
    { type: 'init', session_id: 'S1', model: 'm' },
    { type: 'message', role: 'user', content: 'the prompt' },
  ],
  progress(shown) {
    if (shown.kind === 'text') return [{ type: 'message', role: 'assistant', content: shown.text, delta: true }]
    if (shown.status === 'running')
      return [{ type: 'tool_use', tool_name: shown.tool, tool_id: 't1', parameters: shown.input ?? {} }]
    return [{ type: 'tool_result', tool_id: 't1', status: 'success', output: shown.output ?? '' }]
  },
  answer(answer, usage, request) {
    const text = toText(answer, request)
    const stats = {
      input_tokens: usage.inputTokens ?? 0,
      output_tokens: usage.outputTokens,
      cached: usage.cacheReadTokens ?? 0,
    }
    const pieces = [text.slice(0, 5), text.slice(5)]
    return [
      // What was said before a tool call is no part of the answer.
      { type: 'message', role: 'assistant', content: 'I look first.', delta: true },
      { type: 'tool_use', tool_name: 'glob', tool_id: 't9', parameters: {} },
      { type: 'tool_result', tool_id: 't9', status: 'success', output: 'none' },
      ...pieces.map((content) => ({ type: 'message', role: 'assistant', content, delta: true })),
      { type: 'result', status: 'success', stats },
    ]
  },
  error: (message) => [{ type: 'result', status: 'error', error: { type: 'unknown', message }, stats: {} }],
}

const STREAMS: Record<CommandPresetName, Stream> = {
  claude: claudeLike('structured_output', true),
  codex,
  gemini,
  opencode,
  qwen: claudeLike('structured_result', false),
}
