// Answers for simulated agents, from a file beside the script or one that was named.

import { loadFixtures, toFixturesPath, type Fixtures } from '../../agents/index.ts'
import { HostError } from '../../shared/index.ts'

/** Undefined when the script has none. Rejects with NOT_FOUND when a file that was named is not there. */
export async function loadFixturesFor(
  scriptPath: string | null,
  namedPath: string | undefined,
): Promise<Fixtures | undefined> {
  if (namedPath === undefined) return scriptPath === null ? undefined : loadFixtures(toFixturesPath(scriptPath))
  const fixtures = await loadFixtures(namedPath)
  if (fixtures === undefined)
    throw new HostError({ code: 'NOT_FOUND', message: `There is no fixtures file ${namedPath}` })
  return fixtures
}
