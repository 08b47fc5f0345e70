// Which tools a call gets. `allowedTools` may use the names that other agents have for the same thing, and may keep `run` to
// commands that begin in a certain way: `run(git log:*)`.

import { nearestName } from '../../shared/index.ts'
import { TOOL_NAMES, type ToolName } from './tools/tool.ts'

const OTHER_NAMES: Readonly<Record<string, ToolName>> = {
  grep: 'search',
  glob: 'list',
  ls: 'list',
  edit: 'write',
  multiedit: 'write',
  bash: 'run',
  shell: 'run',
}

/** How a command has to begin, or what it has to be. */
export interface CommandPattern {
  text: string
  exact: boolean
}

export interface AllowedTools {
  names: ReadonlySet<ToolName>
  /** Undefined: any command. */
  commands?: readonly CommandPattern[]
}

/** A text says what can't be honoured. Without a list all tools are allowed. */
export function readAllowedTools(list: readonly string[] | undefined): AllowedTools | string {
  if (list === undefined) return { names: new Set(TOOL_NAMES) }
  const names = new Set<ToolName>()
  const commands: CommandPattern[] = []
  let anyCommand = false
  for (const entry of list) {
    const [, given = entry, pattern] = /^([^()]*)(?:\((.*)\))?$/s.exec(entry.trim()) ?? []
    const name = toToolName(given)
    if (name === undefined) {
      const near = nearestName(given.toLowerCase(), [...TOOL_NAMES, ...Object.keys(OTHER_NAMES)])
      const hint = near === undefined ? `its tools are ${TOOL_NAMES.join(', ')}` : `did you mean "${near}"?`
      return `has no tool "${entry}" (allowedTools): ${hint}`
    }
    names.add(name)
    if (pattern === undefined) {
      if (name === 'run') anyCommand = true
    } else if (name !== 'run') return `can't keep the tool ${name} to a pattern (allowedTools: "${entry}")`
    else commands.push(toPattern(pattern))
  }
  return { names, ...(names.has('run') && !anyCommand && { commands }) }
}

function toToolName(given: string): ToolName | undefined {
  const lower = given.trim().toLowerCase()
  return (
    TOOL_NAMES.find((name) => name === lower) ?? (Object.hasOwn(OTHER_NAMES, lower) ? OTHER_NAMES[lower] : undefined)
  )
}

function toPattern(pattern: string): CommandPattern {
  const text = pattern.trim()
  const open = /^(.*?)(?::\*|\s\*|\*)$/s.exec(text)
  return open ? { text: open[1]?.trim() ?? '', exact: false } : { text, exact: true }
}

/** What could start a second command, or write a file, behind the one that is allowed. */
const CHAINING = /[;&|<>`$()\r\n]/

/** Why a command is not allowed; undefined when it is. */
export function refuseCommand(command: string, patterns: readonly CommandPattern[] | undefined): string | undefined {
  if (patterns === undefined) return undefined
  const line = command.trim()
  const allowed = patterns.map(({ text, exact }) => (exact ? text : `${text} …`)).join(', ')
  if (CHAINING.test(line))
    return `only single commands are allowed here (${allowed}), without ; & | < > $ ( ) or backquotes`
  const fits = patterns.some(
    ({ text, exact }) => line === text || (!exact && (text === '' || line.startsWith(`${text} `))),
  )
  return fits ? undefined : `this command is not allowed; allowed is: ${allowed}`
}
