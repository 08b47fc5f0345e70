// What could run agents here, beside what the settings have, with what each could do.

import type { AgentDetector } from '../../agents/index.ts'
import { systemClock } from '../../engine/index.ts'
import type { FoundAgent } from '../../shared/index.ts'
import type { BackendSettings } from '../settings/schema.ts'
import type { SettingsFile } from '../settings/settings-file.ts'
import type { BackendRegistry } from './registry.ts'

export interface FinderParts {
  detector: AgentDetector
  backends: BackendRegistry
  settings: SettingsFile
}

export async function findAgents({ detector, backends, settings }: FinderParts): Promise<FoundAgent[]> {
  const configured = Object.entries(settings.read().settings.backends ?? {})
  return (await detector.detect()).map((found) => {
    const own: BackendSettings = found.settings
    const { id } = found
    // Made for its capabilities alone.
    const source = backends.forRun({
      settings: { backends: { [id]: own } },
      chosen: id,
      clock: systemClock,
      fixtures: undefined,
    })
    const backend = source.resolve(id)
    if (backend === undefined) throw new Error(`no back end was made for ${id}`)
    const same = configured.filter(([, other]) => nameOf(other) === nameOf(own)).map(([other]) => other)
    return { ...found, capabilities: backend.capabilities, configured: same }
  })
}

function nameOf(settings: BackendSettings): string {
  const { kind } = settings
  const name =
    'preset' in settings ? settings.preset : 'provider' in settings ? settings.provider : JSON.stringify(settings)
  return `${kind} ${name}`
}
