// Which back end a run gets when it may choose, and the refusal when none can be had.

import { HostError, nearestName } from '../../shared/index.ts'
import type { AgentBackend, BackendSource } from '../../engine/index.ts'
import { BUILT_IN_BACKEND } from '../settings/check-settings.ts'
import type { LoadedSettings } from '../settings/settings-file.ts'

/**
 * The asked one, else `defaultBackend`, else the first one configured, else `simulated`. Throws BACKEND_UNAVAILABLE when
 * nothing was asked for and the settings can't be read: a simulated answer in the place of a real one would be made up.
 */
export function chooseBackend(asked: string | undefined, loaded: LoadedSettings, settingsPath: string): string {
  if (asked !== undefined) return asked
  if (loaded.errors.length > 0)
    throw new HostError({
      code: 'BACKEND_UNAVAILABLE',
      message: `The default back end is not known, because ${settingsPath} can't be used: ${loaded.errors.join('; ')}. Mend the file, or name a back end (${BUILT_IN_BACKEND} is always there).`,
    })
  return defaultBackend(loaded)
}

export function defaultBackend({ settings }: LoadedSettings): string {
  return settings.defaultBackend ?? Object.keys(settings.backends ?? {})[0] ?? BUILT_IN_BACKEND
}

/** The back end of that id. Throws BACKEND_UNAVAILABLE, naming those that are known. */
export function requireKnown(source: BackendSource, id: string): AgentBackend {
  const backend = source.resolve(id)
  if (backend !== undefined) return backend
  const known = source.ids()
  const near = nearestName(id, known)
  throw new HostError({
    code: 'BACKEND_UNAVAILABLE',
    message: `There is no back end "${id}": ${near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`}`,
  })
}

/** The same, ready to run agents: one that can't is refused before a run is begun. */
export async function requireBackend(source: BackendSource, id: string): Promise<AgentBackend> {
  const backend = requireKnown(source, id)
  const reason = await backend.unavailable?.()
  if (reason !== undefined)
    throw new HostError({ code: 'BACKEND_UNAVAILABLE', message: `Back end "${id}" can't run agents: ${reason}` })
  return backend
}
