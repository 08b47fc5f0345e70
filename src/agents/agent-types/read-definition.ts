// Named agents, as files: front matter (`name`, `description`, `tools`, `model`), and behind it what the agent is told.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { isJsonObject, nearestName, type JsonValue } from '../../shared/index.ts'
import { AgentsError, messageOf, systemCode } from '../errors.ts'

export interface AgentDefinition {
  name: string
  file: string
  instructions: string
  tools?: string[]
  model?: string
}

/** Nearest first: the workspace's, then the user's. */
export function definitionFolders(workspace: string, home: string, configDir: string): string[] {
  return [
    join(workspace, '.weft', 'agents'),
    join(workspace, '.claude', 'agents'),
    join(configDir, 'agents'),
    join(home, '.claude', 'agents'),
  ]
}

/** By its `name`, else by its file's name. Rejects with AgentsError AGENT_TYPE, naming those that are known. */
export async function findDefinition(name: string, folders: readonly string[]): Promise<AgentDefinition> {
  const known: string[] = []
  for (const folder of folders) {
    // One folder after the other: the nearest one counts.
    // oxlint-disable-next-line no-await-in-loop
    for (const file of await listFiles(folder)) {
      // oxlint-disable-next-line no-await-in-loop
      const text = await readFile(join(folder, file), 'utf8')
      const stem = file.slice(0, -'.md'.length)
      const front = splitFrontMatter(text)
      const named = /^name:[ \t]*["']?([^"'\r\n]+?)["']?[ \t]*$/m.exec(front.matter)?.[1] ?? stem
      known.push(named)
      // A broken file of another name hinders nobody.
      if (named === name || stem === name) return readDefinition(named, join(folder, file), front)
    }
  }
  const near = nearestName(name, known)
  const others =
    known.length === 0 ? `none is defined in ${folders.join(', ')}` : `known are ${[...new Set(known)].join(', ')}`
  throw new AgentsError(
    'AGENT_TYPE',
    `There is no agent "${name}" (agentType): ${near === undefined ? others : `did you mean "${near}"?`}`,
  )
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((file) => file.endsWith('.md')).sort()
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return []
    throw error
  }
}

interface FrontMatter {
  matter: string
  body: string
}

function splitFrontMatter(text: string): FrontMatter {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text)
  return match ? { matter: match[1] ?? '', body: match[2] ?? '' } : { matter: '', body: text }
}

function readDefinition(name: string, file: string, { matter, body }: FrontMatter): AgentDefinition {
  const fail = (what: string): never => {
    throw new AgentsError('AGENT_TYPE', `The agent "${name}" can't be used: ${what} in ${file}`)
  }
  let fields: unknown
  try {
    fields = parse(matter) ?? {}
  } catch (error) {
    return fail(`the front matter is no YAML (${messageOf(error)})`)
  }
  if (!isJsonObject(fields)) return fail('the front matter is no list of fields')
  const { tools, model } = fields
  const names = tools === undefined || tools === null ? undefined : readTools(tools)
  if (tools !== undefined && tools !== null && names === undefined)
    return fail('"tools" is neither a list nor names with commas')
  if (model !== undefined && model !== null && typeof model !== 'string') return fail('"model" is no text')
  return {
    name,
    file,
    instructions: body.trim(),
    ...(names && { tools: names }),
    ...(typeof model === 'string' && model !== 'inherit' && { model }),
  }
}

function readTools(tools: JsonValue): string[] | undefined {
  const list = typeof tools === 'string' ? tools.split(',').map((tool) => tool.trim()) : tools
  if (!Array.isArray(list) || !list.every((tool) => typeof tool === 'string')) return undefined
  return list.filter((tool) => tool !== '')
}
