// Named workflows of a workspace: read from disk each time, so that an edit is seen by the next start. What a file says
// about itself is cached by its text alone.

import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  isJsonObject,
  type Diagnostic,
  type JsonObject,
  type WorkflowEntry,
  type WorkflowMeta,
} from '../../shared/index.ts'
import type { Engine, Logger, ScriptText } from '../../engine/index.ts'
import { isInside, isMissing, realPathOf } from '../lib/files.ts'
import { looksLikeScript, stemOf, workflowFolders, type FolderOptions, type WorkflowFolder } from './folders.ts'
import { declaresMeta, readScriptFile, readTextFile } from './read-script.ts'

const CACHED_TEXTS = 500

/** A file that says it is a workflow, whether or not it can be run. */
export interface CatalogFile {
  path: string
  fileName: string
  /** Its file's name without the ending. */
  stem: string
  source: WorkflowEntry['source']
  /** Empty when the file can't be read. */
  text: string
  meta: WorkflowMeta | null
  error: string | null
}

/** What a workspace's folders hold: workflows in the order of precedence, and script files that are none. */
export interface Catalog {
  files: CatalogFile[]
  helpers: { path: string; stem: string }[]
}

interface Verdict {
  meta: WorkflowMeta | null
  error: string | null
}

export class WorkflowCatalog {
  readonly #folders: FolderOptions
  readonly #diagnose: Engine['diagnose']
  readonly #logger: Logger
  readonly #verdicts = new Map<string, Verdict>()

  constructor(folders: FolderOptions, diagnose: Engine['diagnose'], logger: Logger) {
    this.#folders = folders
    this.#diagnose = diagnose
    this.#logger = logger
  }

  folders(workspace: string): WorkflowFolder[] {
    return workflowFolders(workspace, this.#folders)
  }

  async read(workspace: string): Promise<Catalog> {
    const found = await Promise.all(this.folders(workspace).map((folder) => this.#readFolder(folder)))
    return { files: found.flatMap(({ files }) => files), helpers: found.flatMap(({ helpers }) => helpers) }
  }

  /** The catalog as clients see it. */
  async list(workspace: string): Promise<WorkflowEntry[]> {
    const catalog = await this.read(workspace)
    return Promise.all(
      catalog.files.map(async (file) => {
        const name = file.meta?.name ?? file.stem
        const winner = findByName(catalog, name)
        const shadow = winner === undefined || winner.path === file.path ? null : winner.path
        return {
          name,
          description: file.meta?.description ?? null,
          whenToUse: file.meta?.whenToUse ?? null,
          path: file.path,
          fileName: file.fileName,
          source: file.source,
          shadowedBy: shadow,
          error: file.error,
          argsSchema: await readArgsSchema(file.path),
        }
      }),
    )
  }

  async #readFolder(folder: WorkflowFolder): Promise<Catalog> {
    const catalog: Catalog = { files: [], helpers: [] }
    const names = await readdir(folder.path).catch((error: unknown) => {
      if (!isMissing(error)) this.#logger.warn(`${folder.path} can't be read`, { error })
      return []
    })
    if (names.length === 0) return catalog
    const root = await realPathOf(folder.root)
    const read = names
      .filter(looksLikeScript)
      .sort()
      .map((fileName) => this.#readFile(folder, root, fileName))
    for (const file of await Promise.all(read)) {
      if (file === undefined) continue
      if ('helper' in file) catalog.helpers.push(file.helper)
      else catalog.files.push(file)
    }
    return catalog
  }

  async #readFile(
    folder: WorkflowFolder,
    root: string,
    fileName: string,
  ): Promise<CatalogFile | { helper: { path: string; stem: string } } | undefined> {
    const path = join(folder.path, fileName)
    const stem = stemOf(fileName)
    const entry = { path, fileName, stem, source: folder.source, text: '', meta: null }
    try {
      // Folders and links that lead nowhere are no business of a list of workflows.
      if (!(await stat(path)).isFile()) return undefined
      const real = await realPathOf(path)
      if (!isInside(real, root)) return { ...entry, error: `It is a link that leads out of ${folder.root}` }
      const text = await readScriptFile(path)
      if (!declaresMeta(text)) return { helper: { path, stem } }
      return { ...entry, text, ...(await this.#judge({ text, fileName, path })) }
    } catch (error) {
      if (isMissing(error)) return undefined
      return { ...entry, error: error instanceof Error ? error.message : String(error) }
    }
  }

  async #judge(source: ScriptText): Promise<Verdict> {
    const key = createHash('sha256').update(`${source.fileName}\0${source.text}`).digest('hex')
    const known = this.#verdicts.get(key)
    if (known !== undefined) return known
    const { meta, diagnostics } = await this.#diagnose(source)
    const verdict = { meta, error: describeFirstError(source.fileName, diagnostics) }
    // A check that could not be carried out says nothing of the text: it is tried again the next time.
    if (diagnostics.some(({ code }) => code === 'parse/timeout' || code === 'parse/failed')) return verdict
    this.#verdicts.set(key, verdict)
    const oldest = this.#verdicts.keys().next()
    if (this.#verdicts.size > CACHED_TEXTS && oldest.done !== true) this.#verdicts.delete(oldest.value)
    return verdict
  }
}

/**
 * The workflow that `name` means: the first folder that has it decides, and in it a file's own name comes before what its
 * meta says. A broken file keeps its name: running another one in its place would be worse than its error.
 */
export function findByName(catalog: Catalog, name: string): CatalogFile | undefined {
  const named = catalog.files.filter((file) => file.stem === name || file.meta?.name === name)
  const first = named[0]
  if (first === undefined) return undefined
  const folder = dirname(first.path)
  return named.find((file) => dirname(file.path) === folder && file.stem === name) ?? first
}

function describeFirstError(fileName: string, diagnostics: readonly Diagnostic[]): string | null {
  const errors = diagnostics.filter((found) => found.severity === 'error')
  const first = errors[0]
  if (first === undefined) return null
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return `${fileName}:${first.line}:${first.column}: ${first.message}${more}`
}

/** Null where there is none that can be read. */
export async function readArgsSchema(scriptPath: string): Promise<JsonObject | null> {
  try {
    const value: unknown = JSON.parse(
      await readTextFile(`${scriptPath.slice(0, -extension(scriptPath))}.args.schema.json`),
    )
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

function extension(path: string): number {
  return path.length - path.lastIndexOf('.')
}
