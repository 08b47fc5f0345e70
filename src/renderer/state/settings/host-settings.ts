// The settings that all faces share, as the host has them: read, changed one at a time, every refusal kept by its field.

import { HostError, isJsonObject, type HostClient, type JsonObject, type JsonValue } from '../../../shared/index.ts'
import { createStore } from 'zustand/vanilla'
import { messageOf } from '../message-of.ts'
import { withValue } from './settings-fields.ts'

export interface HostSettingsState {
  load: 'loading' | 'ready' | { failed: string }
  /** Known settings; empty while the file can't be used. */
  settings: JsonObject
  path: string
  /** The file as it stands. */
  text: string
  /** Why the file can't be used. */
  errors: readonly string[]
  /** What this version does not know in the file. */
  warnings: readonly string[]
  /** What was wrong with the last change, every violation with its path. */
  violations: readonly string[]
}

export function createHostSettings(client: HostClient) {
  const store = createStore<HostSettingsState>(() => ({
    load: 'loading',
    settings: {},
    path: '',
    text: '',
    errors: [],
    warnings: [],
    violations: [],
  }))
  const refresh = async (): Promise<void> => {
    try {
      const { settings, ...rest } = await client.call('settings.get', {})
      store.setState({ ...rest, settings: isJsonObject(settings) ? settings : {}, load: 'ready' })
    } catch (error) {
      store.setState({ load: { failed: messageOf(error) } })
    }
  }
  /** Resolves true when it was written. */
  const write = async (settings: JsonValue): Promise<boolean> => {
    try {
      await client.call('settings.set', { settings })
      store.setState({ violations: [] })
      await refresh()
      return true
    } catch (error) {
      const violations =
        error instanceof HostError && error.violations.length > 0 ? error.violations : [messageOf(error)]
      store.setState({ violations })
      return false
    }
  }
  return {
    store,
    refresh,
    write,
    /** Changes the setting at a path such as `['retention', 'maxAgeDays']`; undefined takes it out. */
    set: (path: readonly string[], value: JsonValue | undefined): Promise<boolean> =>
      write(withValue(store.getState().settings, path, value)),
  }
}

export type HostSettings = ReturnType<typeof createHostSettings>
