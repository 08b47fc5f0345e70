// `<data folder>/settings.json`: read afresh whenever it is asked for, since people edit it by hand while the host runs.
// A file that can't be used is never overwritten: it is told about, defaults apply, and a write moves it aside first.

import { readFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import type { Logger } from '../../engine/index.ts'
import { HostError, isJsonObject, type JsonObject } from '../../shared/index.ts'
import { writeFileAtomic } from '../lib/atomic-write.ts'
import { isMissing } from '../lib/files.ts'
import { checkSettings } from './check-settings.ts'
import { Settings } from './schema.ts'

export interface LoadedSettings {
  /** Known fields only; empty when the file can't be used. */
  settings: Settings
  /** Why the file can't be used, in words with paths; empty when it can. */
  errors: string[]
  /** Fields that this version does not know. */
  warnings: string[]
  /** The file as it stands; empty when there is none. */
  text: string
}

export class SettingsFile {
  readonly path: string
  readonly #logger: Logger
  #toldAbout = ''
  #writing: Promise<unknown> = Promise.resolve()

  constructor(path: string, logger: Logger) {
    this.path = path
    this.#logger = logger
  }

  /** Never throws for what the file holds. */
  read(): LoadedSettings {
    const { loaded } = this.#load()
    const findings = [...loaded.errors, ...loaded.warnings]
    if (findings.length > 0 && loaded.text !== this.#toldAbout) {
      this.#toldAbout = loaded.text
      this.#logger.warn(`${this.path}: ${findings.join('; ')}`)
    }
    return loaded
  }

  /** Replaces the settings. Rejects with BAD_REQUEST naming every violation; fields unknown here but in the file stay. */
  write(value: unknown): Promise<Settings> {
    const turn = this.#writing.then(() => this.#replace(value))
    this.#writing = turn.catch(() => undefined)
    return turn
  }

  async #replace(value: unknown): Promise<Settings> {
    const { violations, unknown } = checkSettings(value)
    const { loaded, foreign } = this.#load()
    // What a newer version wrote into the file is not this one's to refuse.
    const all = [...unknown.filter((finding) => !loaded.warnings.includes(finding)), ...violations]
    if (all.length > 0 || !isJsonObject(value))
      throw new HostError({
        code: 'BAD_REQUEST',
        message: `The settings were not saved: ${all.join('; ')}`,
        violations: all,
      })
    if (loaded.errors.length > 0 && loaded.text !== '') {
      const aside = `${this.path}.broken-${new Date().toISOString().replace(/[:.]/g, '-')}`
      await rename(this.path, aside)
      this.#logger.warn(`${this.path} could not be used and was kept as ${aside}`)
    }
    await writeFileAtomic(this.path, `${JSON.stringify({ ...foreign, ...value }, null, 2)}\n`, 0o600)
    return asSettings(value)
  }

  #load(): { loaded: LoadedSettings; foreign: JsonObject } {
    const nothing = { settings: {}, warnings: [] }
    let text = ''
    try {
      text = readFileSync(this.path, 'utf8').replace(/^\uFEFF/, '')
      const value: unknown = JSON.parse(text)
      const { violations, unknown } = checkSettings(value)
      if (violations.length > 0 || !isJsonObject(value))
        return { loaded: { ...nothing, errors: violations, text }, foreign: {} }
      const known = pick(value, (name) => name in Settings.properties)
      const foreign = pick(value, (name) => !(name in Settings.properties))
      return { loaded: { settings: asSettings(known), errors: [], warnings: unknown, text }, foreign }
    } catch (error) {
      if (isMissing(error)) return { loaded: { ...nothing, errors: [], text }, foreign: {} }
      const reason = error instanceof Error ? error.message : String(error)
      const what = error instanceof SyntaxError ? `it is not JSON: ${reason}` : `it can't be read: ${reason}`
      return { loaded: { ...nothing, errors: [what], text }, foreign: {} }
    }
  }
}

function pick(value: JsonObject, keep: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => keep(name)))
}

// Only called with what checkSettings has passed, back ends by their kind included.
function asSettings(value: JsonObject): Settings {
  return value
}
