// What an ACP agent streams of its work, as progress; and the last thing that it said, which is its answer.

import type { SessionNotification, ToolCallContent } from '@agentclientprotocol/sdk/unstable'
import type { CallLog } from '../command/call-log.ts'
import { clip } from '../command/messages.ts'
import { OUTPUT_TOOL } from '../structured-output/output-names.ts'
import { toText } from '../command/presets/events.ts'
import { toJson } from '../to-json.ts'

type Update = SessionNotification['update']
type ToolUpdate = Extract<Update, { sessionUpdate: 'tool_call' | 'tool_call_update' }>

export class SessionUpdates {
  /** Since the last tool call. */
  answer = ''
  /** Of the session so far, in US dollars. */
  costUsd: number | undefined
  readonly #log: CallLog
  readonly #tools = new Map<string, { tool: string; title: string; status: string }>()
  #message: string | undefined

  constructor(log: CallLog) {
    this.#log = log
  }

  begin(): void {
    this.answer = ''
  }

  take(update: Update): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk': {
        if (update.content.type !== 'text') return
        const message = update.messageId ?? undefined
        if (message !== undefined && this.#message !== undefined && message !== this.#message) this.answer = ''
        this.#message = message ?? this.#message
        this.answer += update.content.text
        if (update.content.text !== '') this.#log.progress({ kind: 'text', text: clip(update.content.text) })
        return
      }
      case 'tool_call':
      case 'tool_call_update':
        this.#tool(update)
        return
      case 'plan':
        this.#log.progress({ kind: 'tool', tool: 'plan', input: toJson(update.entries), status: 'completed' })
        return
      case 'usage_update':
        if (update.cost?.currency === 'USD') this.costUsd = update.cost.amount
        return
      default:
    }
  }

  #tool(update: ToolUpdate): void {
    // What was said before a tool call is not the answer.
    if (update.sessionUpdate === 'tool_call') this.answer = ''
    const known = this.#tools.get(update.toolCallId)
    const title = update.title ?? known?.title ?? ''
    const tool = update.name ?? known?.tool ?? update.kind ?? 'tool'
    const status = update.status === 'completed' || update.status === 'failed' ? update.status : 'running'
    this.#tools.set(update.toolCallId, { tool, title, status })
    // The answer is shown as such.
    if (title.includes(OUTPUT_TOOL) || tool.includes(OUTPUT_TOOL)) return
    const { rawInput, content } = update
    const output = describe(content ?? []) || ('rawOutput' in update ? toText(toJson(update.rawOutput)) : '')
    // An update that says nothing new is not shown.
    if (known?.status === status && rawInput === undefined && output === '') return
    this.#log.progress({
      kind: 'tool',
      tool,
      ...(title !== '' && { title }),
      ...(rawInput !== undefined && rawInput !== null && { input: toJson(rawInput) }),
      ...(output !== '' && { output }),
      status,
    })
  }
}

function describe(content: readonly ToolCallContent[]): string {
  const parts = content.map((part) => {
    if (part.type === 'diff') return `${part.path}\n- ${part.oldText ?? ''}\n+ ${part.newText}`
    return part.type === 'content' && part.content.type === 'text' ? part.content.text : ''
  })
  return clip(parts.filter((text) => text !== '').join('\n'))
}
