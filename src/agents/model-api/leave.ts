// What a tool needs leave for, by what the settings let agents do, and how the user is asked.

import { createHash } from 'node:crypto'
import type { AgentRequest } from '../../engine/index.ts'
import { toPreview, type JsonObject } from '../../shared/index.ts'
import { clip } from '../command/messages.ts'
import type { Tool, ToolName } from './tools/tool.ts'

/** What agents may do without asking: look, change files in their folder, or run commands too. */
export type Access = 'read' | 'write' | 'full'

const FREE: Record<Access, ReadonlySet<ToolName>> = {
  read: new Set<ToolName>(['read', 'list', 'search']),
  write: new Set<ToolName>(['read', 'list', 'search', 'write']),
  full: new Set<ToolName>(['read', 'list', 'search', 'write', 'run']),
}

const TITLE_UNITS = 200

/** Asks where the tool needs it. False: refused. */
export async function askLeave(
  tool: Tool,
  input: JsonObject,
  access: Access,
  request: AgentRequest,
  question: number,
): Promise<boolean> {
  if (FREE[access].has(tool.name)) return true
  if (request.askPermission === undefined) return false
  const reply = await request.askPermission({
    id: `${request.agent}.${request.attempt}.${question}`,
    title: toQuestion(tool, input),
    detail: clip(JSON.stringify(input)),
    options: ['allow-once', 'allow-run', 'reject'],
  })
  return reply.answer !== 'reject'
}

/** Leave for the rest of the run goes by the title: two commands that only begin alike must not share one. */
function toQuestion(tool: Tool, input: JsonObject): string {
  const whole = `${tool.name}: ${tool.title(input)}`
  const short = toPreview(whole, TITLE_UNITS)
  if (short === whole) return whole
  return `${short} [${createHash('sha256').update(whole).digest('hex').slice(0, 12)}]`
}
