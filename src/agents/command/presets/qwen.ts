// Qwen Code (`qwen -o stream-json`). Its events are Claude Code's; a schema is a tool of its own that ends the session. It
// can't be kept to some tools: `--core-tools` leaves those that start other agents.

import { ClaudeReader } from './claude.ts'
import type { Preset } from './preset.ts'

const APPROVAL = { read: 'plan', write: 'auto-edit', full: 'yolo' } as const

export const qwen: Preset = {
  name: 'qwen',
  program: 'qwen',
  capabilities: { models: true, effort: false, allowedTools: false, cost: false },
  schemaMode: () => 'native',
  start: ({ request: { structured, model }, access, session }) => ({
    args: [
      '--output-format',
      'stream-json',
      '--approval-mode',
      APPROVAL[access],
      // A name that no server has: an agent must not start workflows.
      '--allowed-mcp-server-names',
      'weft-none',
      ...(structured ? ['--json-schema', JSON.stringify(structured.objectSchema)] : []),
      ...(model === undefined ? [] : ['--model', model]),
      ...(session === undefined ? [] : ['--resume', session]),
    ],
  }),
  createReader: (request) => new ClaudeReader(request, 'structured_result'),
}
