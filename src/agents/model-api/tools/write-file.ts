// The tool `write`: a whole file, or one place in it.

import { mkdir } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { isInside, kindOf, locate, openForWriting } from './confine.ts'
import { readText } from './read-file.ts'
import { optionalTextIn, textIn, ToolError, wordsIn, type Tool } from './tool.ts'

export const writeTool: Tool = {
  name: 'write',
  description:
    'Writes a text file of the working folder; folders are made. With "replace", which has to stand in the file exactly once, only that text becomes "content"; without it the whole file does.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'relative to the working folder' },
      content: { type: 'string' },
      replace: { type: 'string', minLength: 1 },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  title: (input) => wordsIn(input, 'path'),
  async run(input, { root, signal }) {
    const path = textIn(input, 'path')
    const content = textIn(input, 'content')
    const replace = optionalTextIn(input, 'replace')
    const text = replace === undefined ? content : put(await readText(root, path), replace, content, path)
    await makeFolders(root, path)
    signal.throwIfAborted()
    const handle = await openForWriting(root, path)
    try {
      await handle.truncate(0)
      await handle.writeFile(text, 'utf8')
    } finally {
      await handle.close()
    }
    return `${path} is written: ${Buffer.byteLength(text)} bytes`
  },
}

function put(text: string, replace: string, content: string, path: string): string {
  const at = text.indexOf(replace)
  if (replace === '' || at === -1) throw new ToolError(`the text to be replaced does not stand in ${path}`)
  if (text.includes(replace, at + 1))
    throw new ToolError(`the text to be replaced stands in ${path} more than once: give more of what is around it`)
  return text.slice(0, at) + content + text.slice(at + replace.length)
}

/** One by one, each looked at before the next: a link on the way must not lead out. */
async function makeFolders(root: string, path: string): Promise<void> {
  const target = dirname(resolve(root, path))
  if (!isInside(root, target)) return
  let made = root
  for (const name of relative(root, target).split(/[/\\]/)) {
    if (name === '') continue
    // oxlint-disable-next-line no-await-in-loop -- each is in the one before it
    made = await locate(root, made)
    made = resolve(made, name)
    // oxlint-disable-next-line no-await-in-loop
    if ((await kindOf(made)) === undefined) await mkdir(made)
  }
}
