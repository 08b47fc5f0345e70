// Judges settings: the schema, then what a schema can't say (a back end's shape by its kind, names that have to exist).

import { isJsonObject, nearestName, type JsonObject } from '../../shared/index.ts'
import { compileCheck, compileLenientCheck } from '../lib/violations.ts'
import {
  AcpSettings,
  CommandSettings,
  HarnessSettings,
  ModelApiSettings,
  PresetSettings,
  Settings,
  SimulatedSettings,
} from './schema.ts'

/** The back end that is always there. */
export const BUILT_IN_BACKEND = 'simulated'

const checkWhole = compileLenientCheck(Settings, 'the settings')
const checkSimulated = compileCheck(SimulatedSettings)
const checkCommand = compileCheck(CommandSettings)
const checkPreset = compileCheck(PresetSettings)
const checkAcp = compileCheck(AcpSettings)
const checkModelApi = compileCheck(ModelApiSettings)
const checkHarness = compileCheck(HarnessSettings)

export interface SettingsVerdict {
  /** Everything that is wrong, with its path, in words. */
  violations: string[]
  /** Fields that this version does not know, in words. */
  unknown: string[]
}

export function checkSettings(value: unknown): SettingsVerdict {
  const { violations, unknown } = checkWhole(value)
  if (!isJsonObject(value)) return { violations, unknown }
  const backends = value['backends']
  const ids = isJsonObject(backends) ? Object.keys(backends) : []
  if (isJsonObject(backends)) {
    for (const [id, backend] of Object.entries(backends)) {
      violations.push(...checkBackend(backend).map((message) => `backends.${id}.${message}`))
    }
    const builtIn = backends[BUILT_IN_BACKEND]
    if (isJsonObject(builtIn) && builtIn['kind'] !== 'simulated')
      violations.push(`backends.${BUILT_IN_BACKEND} must be of kind "simulated": the name is taken by the built-in one`)
  }
  const chosen = value['defaultBackend']
  if (typeof chosen === 'string' && chosen !== BUILT_IN_BACKEND && !ids.includes(chosen)) {
    const known = [...ids, BUILT_IN_BACKEND]
    const near = nearestName(chosen, known)
    violations.push(
      `defaultBackend names "${chosen}", which is not configured: ${near ? `did you mean ${near}?` : `known are ${known.join(', ')}`}`,
    )
  }
  return { violations, unknown }
}

function checkBackend(backend: unknown): string[] {
  // The schema has said so already when it is no object or has no kind.
  if (!isJsonObject(backend) || typeof backend['kind'] !== 'string') return []
  const kind = backend['kind']
  if (kind === 'simulated') return checkSimulated(backend)
  if (kind === 'command') return backend['preset'] === undefined ? checkCommand(backend) : checkPreset(backend)
  if (kind === 'acp') return checkAcpBackend(backend)
  if (kind === 'harness') return checkHarness(backend)
  if (kind === 'model-api') return checkModelApiBackend(backend)
  const known = ['simulated', 'command', 'acp', 'model-api', 'harness']
  const near = nearestName(kind, known)
  return [`kind must be one of ${known.join(', ')}, not "${kind}"${near ? `: did you mean ${near}?` : ''}`]
}

function checkAcpBackend(backend: unknown): string[] {
  const violations = checkAcp(backend)
  const named = isJsonObject(backend) && (backend['preset'] !== undefined || backend['command'] !== undefined)
  return named ? violations : [...violations, 'one of preset and command must be there: they name the agent']
}

function checkModelApiBackend(backend: JsonObject): string[] {
  const violations = checkModelApi(backend)
  const { provider, baseUrl, apiKeyEnv } = backend
  // Small letters are refused since a key that was put there by mistake has some; what was given stays out of the message.
  if (typeof apiKeyEnv === 'string' && !/^[A-Z_][A-Z0-9_]*$/.test(apiKeyEnv))
    violations.push('apiKeyEnv must be the name of an environment variable, in capital letters, not the key itself')
  if (baseUrl === undefined && provider === 'openai-compatible')
    violations.push('baseUrl must be there: it is where the provider "openai-compatible" is reached')
  if (typeof baseUrl !== 'string') return violations
  const url = toUrl(baseUrl)
  if (url === undefined || !/^https?:$/.test(url.protocol))
    violations.push(`baseUrl must be an address that begins with http:// or https://, not "${baseUrl}"`)
  else if (url.username !== '' || url.password !== '' || url.search !== '')
    // What it is stays out of the message.
    violations.push('baseUrl must have no name, password or query: keys belong in an environment variable (apiKeyEnv)')
  return violations
}

function toUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
