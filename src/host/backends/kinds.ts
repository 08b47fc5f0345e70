// Which of the settings' shapes a back end has.

import type { BackendSettings, CommandSettings, SimulatedSettings } from '../settings/schema.ts'

export function isSimulated(settings: BackendSettings): settings is SimulatedSettings {
  return settings.kind === 'simulated'
}

export function isCommand(settings: BackendSettings): settings is CommandSettings {
  return settings.kind === 'command' && 'protocol' in settings
}
