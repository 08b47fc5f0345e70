// Lets old runs go as `retention` in the settings says, when the host starts and about daily while it runs. Pinned runs and
// those that are live stay; without the setting, all do.

import type { Logger } from '../../engine/index.ts'
import { plural, type RunId } from '../../shared/index.ts'
import type { RetentionPolicy, Store } from '../../store/index.ts'
import { removeSavedScripts } from '../runs/saved-script.ts'
import type { SettingsFile } from '../settings/settings-file.ts'

const DAY_MS = 24 * 60 * 60_000
const MEGABYTE = 1024 * 1024

export interface RetentionParts {
  store: Pick<Store, 'applyRetention'>
  settings: Pick<SettingsFile, 'read'>
  dataDir: string
  logger: Logger
  /** Runs that are gone now. */
  onDeleted(runIds: RunId[]): void
}

/** `apply` is to be called once at the start; from then on it goes by itself. */
export class Retention {
  readonly #parts: RetentionParts
  readonly #timer: NodeJS.Timeout
  #working: Promise<unknown> = Promise.resolve()

  constructor(parts: RetentionParts) {
    this.#parts = parts
    this.#timer = setInterval(() => void this.apply(), DAY_MS).unref()
  }

  /** Deletes what is too old or too much. Never rejects: what fails is logged, and tried again the next day. */
  apply(now = Date.now()): Promise<void> {
    const turn = this.#working.then(() => this.#apply(now))
    this.#working = turn
    return turn
  }

  /** Resolves once nothing is being deleted any more. */
  async dispose(): Promise<void> {
    clearInterval(this.#timer)
    await this.#working
  }

  async #apply(now: number): Promise<void> {
    const { store, settings, dataDir, logger, onDeleted } = this.#parts
    try {
      const policy = toPolicy(settings.read().settings.retention)
      if (policy === undefined) return
      const deleted = await store.applyRetention(policy, now)
      if (deleted.length === 0) return
      logger.info(`Retention has deleted ${plural(deleted.length, 'run')}: ${deleted.join(', ')}`)
      onDeleted(deleted)
      await removeSavedScripts(dataDir, deleted)
    } catch (error) {
      logger.error('Old runs could not be deleted', { error })
    }
  }
}

type Setting = ReturnType<SettingsFile['read']>['settings']['retention']

function toPolicy(setting: Setting): RetentionPolicy | undefined {
  const { maxAgeDays, maxMegabytes } = setting ?? {}
  if (maxAgeDays === undefined && maxMegabytes === undefined) return undefined
  return {
    ...(maxAgeDays !== undefined && { maxAgeDays }),
    ...(maxMegabytes !== undefined && { maxBytes: maxMegabytes * MEGABYTE }),
  }
}
