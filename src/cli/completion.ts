// Shell completion: commands and options come from the parser itself, files and workflow names from the folder.

import { readdirSync, type Dirent } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import tab from '@bomb.sh/tab/commander'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'

type Complete = (value: string, description: string) => void

const SCRIPT_ENDING = /\.(?:js|mjs|ts)$/
const WORKFLOW_FOLDERS = ['workflows', join('.weft', 'workflows'), join('.claude', 'workflows')]
const TAKES_SCRIPT = ['run', 'dry-run', 'validate']

/** Adds `completion <shell>` and the hidden `complete` that the shell calls. `argv` is what it was called with. */
export function addCompletion(program: CommandUnknownOpts, cwd: string, argv: readonly string[]): void {
  // The typed parser is commander's own class at run time.
  const completion = tab(program as unknown as Parameters<typeof tab>[0], { completionCommandName: 'completion' })
  const typed = argv.at(-1) ?? ''
  for (const name of TAKES_SCRIPT) {
    const [script] = completion.commands.get(name)?.arguments.values() ?? []
    if (script) script.handler = (complete) => completeScripts(complete, cwd, typed)
  }
}

function completeScripts(complete: Complete, cwd: string, typed: string): void {
  for (const path of listFiles(cwd, typed)) complete(path, 'file')
  for (const folder of WORKFLOW_FOLDERS) {
    for (const file of readFolder(join(cwd, folder))) {
      if (file.isFile() && SCRIPT_ENDING.test(file.name)) complete(parse(file.name).name, 'workflow')
    }
  }
}

/** Scripts and folders that begin as typed, written as they were typed. */
function listFiles(cwd: string, typed: string): string[] {
  const folder = typed.endsWith('/') ? typed : dirname(typed) === '.' ? '' : `${dirname(typed)}/`
  return readFolder(resolve(cwd, folder)).flatMap((entry) => {
    if (entry.name.startsWith('.')) return []
    if (entry.isDirectory()) return [`${folder}${entry.name}/`]
    return SCRIPT_ENDING.test(entry.name) ? [`${folder}${entry.name}`] : []
  })
}

function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}
