// What the bridge answers itself, in the words of the host, so that a client has its tools at once though the host is still
// coming up: some clients silently go on without a server that takes a second.

import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/index.ts'
import {
  CAPABILITIES,
  instructionsFor,
  MODERN_PROTOCOL_VERSIONS,
  negotiateLegacy,
  SERVER_NAME,
} from '../manifest/server-info.ts'
import { listTools } from '../manifest/tools.ts'

export interface Manifest {
  version: string
  toolName: string
  depth: number
}

const ENVELOPE_VERSION = 'io.modelcontextprotocol/protocolVersion'
const ENVELOPE_SERVER = 'io.modelcontextprotocol/serverInfo'

/** The result for a request that needs no host; undefined for any other. */
export function answerFromManifest(
  method: string,
  params: JsonValue | undefined,
  manifest: Manifest,
): JsonObject | undefined {
  const version = envelopeVersion(params)
  if (version === undefined) return answerLegacy(method, params, manifest)
  if (!MODERN_PROTOCOL_VERSIONS.some((known) => known === version)) return undefined
  const answer = answerModern(method, manifest)
  if (answer === undefined) return undefined
  const serverInfo = { name: SERVER_NAME, version: manifest.version }
  return {
    ...answer,
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [ENVELOPE_SERVER]: serverInfo },
  }
}

function answerLegacy(method: string, params: JsonValue | undefined, manifest: Manifest): JsonObject | undefined {
  if (method === 'initialize') {
    return {
      protocolVersion: negotiateLegacy(isJsonObject(params) ? params['protocolVersion'] : undefined),
      capabilities: CAPABILITIES,
      serverInfo: { name: SERVER_NAME, version: manifest.version },
      instructions: instructionsFor(manifest.toolName),
    }
  }
  if (method === 'ping') return {}
  return method === 'tools/list' ? toolList(manifest) : undefined
}

function answerModern(method: string, manifest: Manifest): JsonObject | undefined {
  if (method === 'server/discover') {
    return {
      supportedVersions: [...MODERN_PROTOCOL_VERSIONS],
      capabilities: CAPABILITIES,
      instructions: instructionsFor(manifest.toolName),
    }
  }
  return method === 'tools/list' ? toolList(manifest) : undefined
}

function toolList(manifest: Manifest): JsonObject {
  // Entries are made of JSON alone.
  return { tools: listTools(manifest) as unknown as JsonValue }
}

/** The revision that a request of the modern era says it is of. */
export function envelopeVersion(params: JsonValue | undefined): string | undefined {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  const version = isJsonObject(meta) ? meta[ENVELOPE_VERSION] : undefined
  return typeof version === 'string' ? version : undefined
}
