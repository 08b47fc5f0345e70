// `settings.*`: the settings file as data.

import type { JsonValue } from '../../shared/index.ts'
import type { HostContext } from '../context.ts'
import type { HostCallHandlers } from './handlers.ts'

export function settingsCalls({ settings }: HostContext): Pick<HostCallHandlers, 'settings.get' | 'settings.set'> {
  return {
    'settings.get': () => {
      const loaded = settings.read()
      // Settings come from JSON.
      return {
        settings: loaded.settings as JsonValue,
        path: settings.path,
        errors: loaded.errors,
        warnings: loaded.warnings,
        text: loaded.text,
      }
    },
    // What was written came from JSON.
    'settings.set': async (params) => ({ settings: (await settings.write(params.settings)) as JsonValue }),
  }
}
