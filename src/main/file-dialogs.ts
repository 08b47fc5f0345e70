// Files that the user picks in the system's dialog. A page gets a path from here and from nowhere else, and only one that
// is of the kind it asked for.

import { statSync } from 'node:fs'
import { extname, isAbsolute, join } from 'node:path'
import type { FileFilter } from 'electron'
import type { FileKind, FileRequest } from '../shared/index.ts'

interface Kind {
  label: string
  /** Endings without a dot; the first is added to a name that has none of them. */
  endings: readonly [string, ...string[]]
}

const KINDS: Record<FileKind, Kind> = {
  workflow: { label: 'Workflows', endings: ['js', 'mjs', 'ts'] },
  run: { label: 'Exported runs', endings: ['jsonl'] },
  report: { label: 'Reports', endings: ['html'] },
  json: { label: 'JSON', endings: ['json'] },
}

/** The system's dialogs, answering with a path or nothing. */
export interface FileDialogs {
  open(options: { title: string; filters: FileFilter[] }): Promise<string | undefined>
  save(options: { title: string; filters: FileFilter[]; defaultPath?: string }): Promise<string | undefined>
  /** Tells why a picked file was not taken. */
  refuse(message: string): Promise<void>
}

/** `folder` is where a dialog to save begins. */
export async function pickFile(request: FileRequest, folder: string, dialogs: FileDialogs): Promise<string | null> {
  const { label, endings } = KINDS[request.kind]
  const filters = [{ name: label, extensions: [...endings] }]
  const { suggestedName } = request
  const picked =
    request.purpose === 'open'
      ? await dialogs.open({ title: 'Open', filters })
      : await dialogs.save({
          title: 'Save As',
          filters,
          defaultPath: join(folder, suggestedName ?? `untitled.${endings[0]}`),
        })
  if (picked === undefined) return null
  // Some systems' dialogs leave the ending to the user.
  const path = request.purpose === 'save' && extname(picked) === '' ? `${picked}.${endings[0]}` : picked
  const problem = problemOf(path, request)
  if (problem === undefined) return path
  await dialogs.refuse(problem)
  return null
}

function problemOf(path: string, { kind, purpose }: FileRequest): string | undefined {
  const { endings } = KINDS[kind]
  if (!isAbsolute(path)) return `${path} is no whole path.`
  if (!endings.includes(extname(path).slice(1).toLowerCase())) {
    return `${path} does not end in ${endings.map((ending) => `.${ending}`).join(' or ')}.`
  }
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return purpose === 'open' ? `${path} is not there.` : undefined
  return found.isFile() ? undefined : `${path} is not a file.`
}
