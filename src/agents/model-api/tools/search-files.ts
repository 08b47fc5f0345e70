// The tool `search`: lines that hold a text. Plain text, no pattern: a model's pattern could keep this process busy for ever.

import { cutText } from '../../../shared/index.ts'
import { readText } from './read-file.ts'
import { MAX_OUTPUT_UNITS, optionalTextIn, textIn, ToolError, wordsIn, type Tool } from './tool.ts'
import { walkFolder } from './walk-folder.ts'

const MAX_HITS = 300
const LINE_UNITS = 300
const MAX_FILE_BYTES = 1024 * 1024
const MAX_DEPTH = 40

export const searchTool: Tool = {
  name: 'search',
  description: `Finds the lines that hold a text (as it is written, no pattern) in files of the working folder: up to ${MAX_HITS}, as path:line: text. Leaves out .git, node_modules, files above 1 MiB and those that are no text.`,
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 1 },
      path: { type: 'string', description: 'a folder, relative to the working folder' },
      nameEndsWith: { type: 'string', description: 'only files whose name ends so, as ".ts"' },
      ignoreCase: { type: 'boolean' },
    },
    required: ['text'],
    additionalProperties: false,
  },
  title: (input) => wordsIn(input, 'text'),
  async run(input, { root, signal }) {
    const ignoreCase = input['ignoreCase'] === true
    const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text)
    const wanted = fold(textIn(input, 'text'))
    if (wanted === '') throw new ToolError('text must not be empty')
    const ending = optionalTextIn(input, 'nameEndsWith') ?? ''
    const hits: string[] = []
    let units = 0
    for await (const entry of walkFolder(root, optionalTextIn(input, 'path') ?? '.', MAX_DEPTH, signal)) {
      if (entry.kind !== 'file' || !entry.path.endsWith(ending)) continue
      const text = await readText(root, entry.path, MAX_FILE_BYTES).catch(() => '')
      if (!fold(text).includes(wanted)) continue
      for (const [index, line] of text.split('\n').entries()) {
        if (!fold(line).includes(wanted)) continue
        const hit = `${entry.path}:${index + 1}: ${cutText(line.trim(), LINE_UNITS)}`
        units += hit.length
        if (hits.length === MAX_HITS || units > MAX_OUTPUT_UNITS) return [...hits, '[there is more]'].join('\n')
        hits.push(hit)
      }
    }
    return hits.length === 0 ? '[nothing found]' : hits.join('\n')
  },
}
