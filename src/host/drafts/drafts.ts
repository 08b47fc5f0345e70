// Text that was typed but not saved, kept in the data folder: a window that dies, or a host that is killed, loses nothing.
// One small file a draft; what is damaged is as good as not there.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, type Draft } from '../../shared/index.ts'
import { writeFileAtomic } from '../lib/atomic-write.ts'
import { isMissing } from '../lib/files.ts'

export class Drafts {
  readonly #folder: string
  /** Writes and removals of one draft come one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async read(path: string): Promise<Draft | null> {
    await this.#turns.get(path)
    return (await this.#load(this.#fileOf(path))) ?? null
  }

  async list(): Promise<Draft[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
    const files = names.filter((name) => name.endsWith('.json')).sort()
    const drafts = await Promise.all(files.map((name) => this.#load(join(this.#folder, name))))
    return drafts.filter((draft) => draft !== undefined)
  }

  write(draft: Draft): Promise<void> {
    return this.#inTurn(draft.path, async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeFileAtomic(this.#fileOf(draft.path), JSON.stringify(draft), 0o600)
    })
  }

  drop(path: string): Promise<void> {
    return this.#inTurn(path, () => rm(this.#fileOf(path), { force: true }))
  }

  #fileOf(path: string): string {
    return join(this.#folder, `${createHash('sha256').update(path).digest('hex')}.json`)
  }

  async #load(file: string): Promise<Draft | undefined> {
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'))
      if (!isJsonObject(value)) return undefined
      const { path, text, baseHash } = value
      if (typeof path !== 'string' || typeof text !== 'string' || typeof baseHash !== 'string') return undefined
      return { path, text, baseHash }
    } catch (error) {
      if (isMissing(error) || error instanceof SyntaxError) return undefined
      throw error
    }
  }

  async #inTurn(path: string, act: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(path) ?? Promise.resolve()).then(act)
    const quiet = turn.catch(() => undefined)
    this.#turns.set(path, quiet)
    try {
      await turn
    } finally {
      if (this.#turns.get(path) === quiet) this.#turns.delete(path)
    }
  }
}
