// Names and places of workflow files: what a name may be, where a new file goes, which JSON files stand beside a script.

import type { WorkflowEntry } from '../../../shared/index.ts'

export type CompanionKind = 'fixtures' | 'args-schema'

const ENDINGS: Record<CompanionKind, string> = { fixtures: '.fixtures.json', 'args-schema': '.args.schema.json' }
const SCRIPT = /\.(?:js|mjs|ts)$/

export function isScript(path: string): boolean {
  return SCRIPT.test(path)
}

/** A path in a folder, with the separators that the folder has. */
export function joinPath(folder: string, ...names: string[]): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/'
  return [folder.replace(/[\\/]+$/, ''), ...names].join(separator)
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')))
}

/** `review` for `/work/review.js`. */
export function stemOf(path: string): string {
  return path
    .slice(folderOf(path).length)
    .replace(/^[\\/]/, '')
    .replace(SCRIPT, '')
}

export function companionPath(scriptPath: string, kind: CompanionKind): string {
  return scriptPath.replace(SCRIPT, ENDINGS[kind])
}

/** The script's path without its ending, for a script as for its companions. */
function baseOf(path: string): string | undefined {
  const ending = Object.values(ENDINGS).find((known) => path.endsWith(known))
  if (ending !== undefined) return path.slice(0, -ending.length)
  return isScript(path) ? path.replace(SCRIPT, '') : undefined
}

/** The script that a file is about: itself, or the one that it stands beside. */
export function scriptPathOf(path: string, entries: readonly WorkflowEntry[]): string | undefined {
  if (isScript(path)) return path
  const base = baseOf(path)
  return base === undefined ? undefined : entries.find((entry) => baseOf(entry.path) === base)?.path
}

/** Why a file can't be called that; undefined when it can. `folder` is where it goes. */
export function refuseName(name: string, folder: string, entries: readonly WorkflowEntry[]): string | undefined {
  if (name === '') return 'Give it a name.'
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return 'Small letters, digits and single hyphens: like review-diff.'
  if (name.length > 64) return 'At most 64 characters.'
  const taken = entries.find((entry) => folderOf(entry.path) === folder && stemOf(entry.path) === name)
  return taken === undefined ? undefined : `${taken.fileName} exists already.`
}

/** What else answers to the name: the new file hides it, or is hidden by it. */
export function noteOnName(name: string, folder: string, entries: readonly WorkflowEntry[]): string | undefined {
  const other = entries.find((entry) => entry.name === name && folderOf(entry.path) !== folder)
  return other && `There is a workflow of that name elsewhere (${other.path}): one hides the other.`
}

/** The text with another name in meta; with `from` only where that is the old one. */
export function renameInText(text: string, to: string, from?: string): string {
  const at = text.search(/\bexport\s+const\s+meta\b/)
  if (at === -1) return text
  const name = /(\bname\s*:\s*)(['"`])([^'"`]*)\2/
  const head = text.slice(at)
  const match = name.exec(head)
  if (match === null || (from !== undefined && match[3] !== from)) return text
  return text.slice(0, at) + head.replace(name, (_whole, key: string, quote: string) => `${key}${quote}${to}${quote}`)
}
