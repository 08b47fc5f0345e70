// The tool `list`: what is in a folder.

import { walkFolder } from './walk-folder.ts'
import { countIn, optionalTextIn, wordsIn, type Tool } from './tool.ts'

const MAX_LISTED = 1_000

export const listTool: Tool = {
  name: 'list',
  description: `Lists files and folders of the working folder, up to ${MAX_LISTED}. Folders end with a slash, links with "@".`,
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'relative to the working folder; the folder itself without it' },
      depth: { type: 'integer', minimum: 1, description: 'how many levels; default 1' },
    },
    additionalProperties: false,
  },
  title: (input) => wordsIn(input, 'path', '.'),
  async run(input, { root, signal }) {
    const path = optionalTextIn(input, 'path') ?? '.'
    const depth = countIn(input, 'depth', 1)
    const lines: string[] = []
    for await (const entry of walkFolder(root, path, depth, signal)) {
      if (lines.length === MAX_LISTED) {
        lines.push('[there is more]')
        break
      }
      lines.push(`${entry.path}${entry.kind === 'folder' ? '/' : entry.kind === 'link' ? '@' : ''}`)
    }
    return lines.length === 0 ? '[the folder is empty]' : lines.join('\n')
  },
}
