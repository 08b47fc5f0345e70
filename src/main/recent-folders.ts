// The folders that were opened last, newest first: File > Open Recent.

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'

const MAX = 10

export class RecentFolders {
  readonly #file: string
  readonly #onError: (error: unknown) => void

  /** A folder that can't be remembered is told to `onError`, and opened all the same. */
  constructor(file: string, onError: (error: unknown) => void) {
    this.#file = file
    this.#onError = onError
  }

  /** Those that are still there. */
  list(): string[] {
    return this.#read().filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
  }

  add(folder: string): void {
    const known = this.#read()
    if (known[0] !== folder) this.#write([folder, ...known.filter((other) => other !== folder)].slice(0, MAX))
  }

  clear(): void {
    this.#write([])
  }

  #read(): string[] {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#file, 'utf8'))
      return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string' && isAbsolute(entry)) : []
    } catch {
      return [] // None yet, or a file that is not ours.
    }
  }

  #write(folders: readonly string[]): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
      writeFileSync(`${this.#file}.tmp`, `${JSON.stringify(folders, undefined, 2)}\n`, { mode: 0o600 })
      renameSync(`${this.#file}.tmp`, this.#file)
    } catch (error) {
      this.#onError(error)
    }
  }
}
