// Codex (`codex exec --json`). It works with a home folder of its own: the user's configuration without tool servers, and the
// user's sign-in.

import { copyFile, lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'smol-toml'
import type { AgentRequest } from '../../../engine/index.ts'
import type { JsonObject, JsonValue, Usage } from '../../../shared/index.ts'
import { systemCode } from '../../errors.ts'
import { readJsonAnswer } from '../../structured-output/read-json-answer.ts'
import { dropStrictNulls, toStrictSchema } from '../../structured-output/strict-schema.ts'
import type { AgentMessage } from '../messages.ts'
import {
  countAt,
  errorMessage,
  listAt,
  noteMessage,
  objectAt,
  readEvent,
  textAt,
  textMessage,
  toolMessage,
  toUsage,
} from './events.ts'
import type { EventReader, Preset, PresetCall } from './preset.ts'

const SANDBOX = { read: 'read-only', write: 'workspace-write', full: 'danger-full-access' } as const

const homeOf = (folder: string): string => join(folder, 'codex-home')
const schemaOf = (folder: string): string => join(folder, 'schema.json')

export const codex: Preset = {
  name: 'codex',
  program: 'codex',
  capabilities: { models: true, effort: true, allowedTools: false, cost: false },
  schemaMode: ({ structured }) => (structured && toStrictSchema(structured.objectSchema) ? 'native' : 'prompt'),
  async prepare(call) {
    await makeCodexHome(call)
    const schema = call.request.structured && toStrictSchema(call.request.structured.objectSchema)
    if (schema) await writeFile(schemaOf(call.folder), JSON.stringify(schema))
  },
  start({ request, folder, access, session }) {
    const { structured, model, effort } = request
    const native = structured !== undefined && toStrictSchema(structured.objectSchema) !== undefined
    return {
      args: [
        'exec',
        '--json',
        '--skip-git-repo-check',
        '--sandbox',
        SANDBOX[access],
        ...(native ? ['--output-schema', schemaOf(folder)] : []),
        ...(model === undefined ? [] : ['--model', model]),
        // Its scale ends at xhigh.
        ...(effort === undefined
          ? []
          : ['--config', `model_reasoning_effort="${effort === 'max' ? 'xhigh' : effort}"`]),
        ...(session === undefined ? [] : ['resume', session]),
        '-',
      ],
      env: { CODEX_HOME: homeOf(folder) },
    }
  },
  createReader: (request) => new CodexReader(request),
  finish: keepSignIn,
}

function userHome(env: PresetCall['env']): string {
  return env['CODEX_HOME'] || join(env['HOME'] ?? env['USERPROFILE'] ?? homedir(), '.codex')
}

/** The user's `config.toml` without tool servers, and their sign-in by reference, so that a refreshed one is kept. */
export async function makeCodexHome({ folder, env }: Pick<PresetCall, 'folder' | 'env'>): Promise<string> {
  const [from, to] = [userHome(env), homeOf(folder)]
  await mkdir(to, { recursive: true })
  const text = await readFile(join(from, 'config.toml'), 'utf8').catch(ignoreMissing)
  if (text !== undefined) {
    const { mcp_servers: _cut, ...config } = parse(text)
    await writeFile(join(to, 'config.toml'), stringify({ ...config, check_for_update_on_startup: false }))
  }
  const signIn = join(from, 'auth.json')
  if ((await lstat(signIn).catch(ignoreMissing)) === undefined) return to
  // Windows lets few users make links.
  await symlink(signIn, join(to, 'auth.json')).catch(() => copyFile(signIn, join(to, 'auth.json')))
  return to
}

async function keepSignIn({ folder, env }: PresetCall): Promise<void> {
  const own = join(homeOf(folder), 'auth.json')
  const now = await lstat(own).catch(ignoreMissing)
  if (now?.isFile()) await copyFile(own, join(userHome(env), 'auth.json'))
}

function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined
  throw error
}

class CodexReader implements EventReader {
  session: string | undefined
  readonly #request: AgentRequest
  #text: string | undefined
  #failure = ''

  constructor(request: AgentRequest) {
    this.#request = request
  }

  read(line: string): AgentMessage[] | undefined {
    const event = readEvent(line)
    if (event === undefined) return undefined
    switch (event.type) {
      case 'thread.started':
        this.session = textAt(event, 'thread_id') ?? this.session
        return []
      case 'turn.started':
        this.#text = undefined
        return []
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return this.#item(objectAt(event, 'item'), event.type === 'item.completed')
      case 'turn.completed':
        return this.#completed(objectAt(event, 'usage'))
      case 'turn.failed':
        return [errorMessage({ message: textAt(objectAt(event, 'error'), 'message') ?? this.#failure })]
      case 'error':
        // Retries are told the same way: only `turn.failed` or the end of the process is final.
        this.#failure = textAt(event, 'message') ?? ''
        return [noteMessage(this.#failure)]
      default:
        return undefined
    }
  }

  end(): AgentMessage | undefined {
    return this.#failure === '' ? undefined : errorMessage({ message: this.#failure })
  }

  #completed(usage: JsonObject): AgentMessage[] {
    if (this.#text === undefined) return []
    const whole = { usage: readUsage(usage) }
    const { structured } = this.#request
    const schema = structured?.objectSchema
    if (schema === undefined || toStrictSchema(schema) === undefined)
      return [{ type: 'result', output: this.#text, ...whole }]
    const output = dropStrictNulls(readJsonAnswer(this.#text), schema)
    return [{ type: 'result', output, form: 'wrapped', ...whole }]
  }

  #item(item: JsonObject, completed: boolean): AgentMessage[] {
    const status = item['status'] === 'failed' ? 'failed' : completed ? 'completed' : 'running'
    switch (item['type']) {
      case 'agent_message':
        if (!completed) return []
        this.#text = textAt(item, 'text') ?? ''
        return [textMessage(this.#text)]
      case 'command_execution': {
        const output = textAt(item, 'aggregated_output')
        return [toolMessage('shell', status, { title: textAt(item, 'command'), output })]
      }
      case 'file_change':
        return [toolMessage('edit', status, { input: listAt(item, 'changes'), title: describeChanges(item) })]
      case 'mcp_tool_call':
        return [
          toolMessage(textAt(item, 'tool') ?? 'tool', status, { input: item['arguments'], output: resultOf(item) }),
        ]
      case 'web_search':
        return [toolMessage('web_search', status, { title: textAt(item, 'query') })]
      case 'todo_list':
        return [toolMessage('plan', status, { input: item['items'] })]
      case 'error':
        return completed ? [noteMessage(textAt(item, 'message') ?? 'error')] : []
      default:
        return []
    }
  }
}

function describeChanges(item: JsonObject): string {
  return listAt(item, 'changes')
    .map((change) => `${textAt(change, 'kind') ?? ''} ${textAt(change, 'path') ?? ''}`.trim())
    .join(', ')
}

function resultOf(item: JsonObject): JsonValue | undefined {
  const result = objectAt(item, 'result')
  return result['content'] ?? textAt(objectAt(item, 'error'), 'message')
}

/** Of the whole thread: what a resumed one says holds what was said before. */
function readUsage(usage: JsonObject): Usage {
  return toUsage({
    outputTokens: countAt(usage, 'output_tokens'),
    inputTokens: countAt(usage, 'input_tokens'),
    cacheReadTokens: countAt(usage, 'cached_input_tokens'),
    cacheWriteTokens: countAt(usage, 'cache_write_input_tokens'),
    reasoningTokens: countAt(usage, 'reasoning_output_tokens'),
  })
}
