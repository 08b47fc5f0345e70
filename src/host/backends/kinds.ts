// Which of the settings' shapes a back end has.

import type {
  AcpSettings,
  BackendSettings,
  HarnessSettings,
  ModelApiSettings,
  PresetSettings,
  SimulatedSettings,
} from '../settings/schema.ts'

export function isSimulated(settings: BackendSettings): settings is SimulatedSettings {
  return settings.kind === 'simulated'
}

export function isPreset(settings: BackendSettings): settings is PresetSettings {
  return settings.kind === 'command' && 'preset' in settings
}

export function isHarness(settings: BackendSettings): settings is HarnessSettings {
  return settings.kind === 'harness' && 'clients' in settings
}

export function isAcp(settings: BackendSettings): settings is AcpSettings {
  return settings.kind === 'acp'
}

export function isModelApi(settings: BackendSettings): settings is ModelApiSettings {
  return settings.kind === 'model-api'
}
