// Finds harnesses, shows what connecting one would write into its configuration, and writes or removes it.

import { access, constants, stat } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import {
  HostError,
  type ConnectionChange,
  type ConnectionFile,
  type ConnectionPreview,
  type ConnectionScope,
  type HarnessConnection,
} from '../../shared/index.ts'
import type * as editor from './edit-file.ts'
import { HARNESSES, type BridgeCommand, type Harness, type Places } from './harnesses.ts'
import { readOwned, replaceOwned, type OwnedFile } from './owned-file.ts'

/** Parsers of three formats that only those load who connect something. */
const loadEditor = (): Promise<typeof editor> => import('./edit-file.ts')

export interface ConnectionTarget {
  harness: string
  scope: ConnectionScope
  workspace: string
}

export interface ConnectionsOptions {
  places: Places
  bridge: BridgeCommand
  now?: () => Date
}

export class Connections {
  readonly #options: ConnectionsOptions

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  list(workspace: string): Promise<HarnessConnection[]> {
    return Promise.all(HARNESSES.map((harness) => this.#describe(harness, workspace)))
  }

  async preview(target: ConnectionTarget, remove = false): Promise<ConnectionPreview> {
    const harness = find(target.harness)
    const named = await this.#fileOf(harness, target)
    const { file, text } = await this.#plan(harness, named, remove)
    const { setEntry } = await loadEditor()
    const entry = setEntry(harness, '', harness.entry(this.#options.bridge)).text
    const { exists, hash } = file
    const unchanged = text === file.text
    return { path: named, exists, unchanged, entry, hash, notes: [...harness.notes], ...compare(file.text, text) }
  }

  /** `hash`: of the preview that was agreed to. */
  async write(
    target: ConnectionTarget,
    { remove = false, hash }: { remove?: boolean; hash?: string | undefined },
  ): Promise<ConnectionChange> {
    const harness = find(target.harness)
    const path = await this.#fileOf(harness, target)
    const { file, text } = await this.#plan(harness, path, remove)
    if (hash !== undefined && hash !== file.hash)
      throw new HostError({
        code: 'CONFLICT',
        message: `${path} was changed meanwhile; nothing was touched: look again`,
      })
    if (text === file.text) return { path, changed: false, backup: null }
    const now = this.#options.now?.() ?? new Date()
    return { path, changed: true, backup: await replaceOwned(path, file, text, now) }
  }

  async #plan(harness: Harness, path: string, remove: boolean): Promise<{ file: OwnedFile; text: string }> {
    try {
      const file = await readOwned(path)
      const { setEntry } = await loadEditor()
      const wanted = remove ? undefined : harness.entry(this.#options.bridge)
      return { file, text: setEntry(harness, file.text, wanted).text }
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      throw new HostError({ code: error.code, message: `${path} is left alone: ${error.message}` })
    }
  }

  async #describe(harness: Harness, workspace: string): Promise<HarnessConnection> {
    const { id, title, clientNames, notes } = harness
    const program = await this.#findProgram(harness.programs)
    const scopes: ConnectionScope[] = harness.projectFiles.length === 0 ? ['user'] : ['user', 'project']
    const files = await Promise.all(
      scopes.map(async (scope) =>
        this.#look(harness, scope, await this.#fileOf(harness, { harness: id, scope, workspace })),
      ),
    )
    const [own] = files
    const found = program !== null || (own !== undefined && (own.exists || (await this.#hasFolder(own.path))))
    return { id, title, program, found, files, clientNames: [...clientNames], notes: [...notes] }
  }

  async #look(harness: Harness, scope: ConnectionScope, path: string): Promise<ConnectionFile> {
    try {
      const file = await readOwned(path)
      const { setEntry } = await loadEditor()
      const { state } = setEntry(harness, file.text, harness.entry(this.#options.bridge))
      // Where nothing stood, setting it is what changes.
      return { scope, path, exists: file.exists, state, problem: null }
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      return { scope, path, exists: true, state: 'unreadable', problem: error.message }
    }
  }

  async #fileOf({ userFiles, projectFiles, title }: Harness, { scope, workspace }: ConnectionTarget): Promise<string> {
    const candidates =
      scope === 'user' ? userFiles(this.#options.places) : projectFiles.map((name) => join(workspace, name))
    const [first] = candidates
    if (first === undefined)
      throw new HostError({
        code: 'BAD_REQUEST',
        message: `${title} has no configuration of a project: use the user's`,
      })
    const there = await Promise.all(
      candidates.map((path) =>
        stat(path).then(
          () => true,
          () => false,
        ),
      ),
    )
    return candidates[there.indexOf(true)] ?? first
  }

  /** A folder of its own, not the home that all share. */
  async #hasFolder(path: string): Promise<boolean> {
    const folder = dirname(path)
    if (folder === this.#options.places.home) return false
    return stat(folder).then(
      () => true,
      () => false,
    )
  }

  async #findProgram(names: readonly string[]): Promise<string | null> {
    const { env, platform } = this.#options.places
    const endings = platform === 'win32' ? ['.exe', '.cmd'] : ['']
    const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
    const files = folders.flatMap((folder) =>
      names.flatMap((name) => endings.map((ending) => join(folder, name + ending))),
    )
    const usable = await Promise.all(
      files.map((file) =>
        access(file, constants.X_OK).then(
          () => true,
          () => false,
        ),
      ),
    )
    return files[usable.indexOf(true)] ?? null
  }
}

function find(id: string): Harness {
  const harness = HARNESSES.find((known) => known.id === id)
  if (harness !== undefined) return harness
  const ids = HARNESSES.map((known) => known.id).join(', ')
  throw new HostError({ code: 'NOT_FOUND', message: `Weft knows no harness "${id}"; it knows ${ids}` })
}

/** The lines between what both begin and end with. */
function compare(before: string, after: string): Pick<ConnectionPreview, 'line' | 'removed' | 'added'> {
  const [old, next] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, next.length)
  let start = 0
  while (start < most && old[start] === next[start]) start++
  let end = 0
  while (end < most - start && old[old.length - 1 - end] === next[next.length - 1 - end]) end++
  return { line: start + 1, removed: old.slice(start, old.length - end), added: next.slice(start, next.length - end) }
}
