// What a tool call answers, in the SDK's shape.

import { toWellFormed } from '../../shared/index.ts'

export interface ToolResult {
  [key: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: { [key: string]: unknown }
  isError?: boolean
  _meta?: { [key: string]: unknown }
}

/** Text blocks, and the same for clients that show their model structured content alone. */
export function succeed(texts: readonly string[], structured?: { [key: string]: unknown }): ToolResult {
  return { content: toBlocks(texts), ...(structured !== undefined && { structuredContent: structured }) }
}

export function fail(texts: readonly string[], structured?: { [key: string]: unknown }): ToolResult {
  return { ...succeed(texts, structured), isError: true }
}

function toBlocks(texts: readonly string[]): ToolResult['content'] {
  // A lone surrogate makes every later request of some clients fail.
  return texts.map((text) => ({ type: 'text', text: toWellFormed(text) }))
}
