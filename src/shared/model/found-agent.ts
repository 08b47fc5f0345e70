// Who could run agents on this machine, found without being configured.

import type { BackendCapabilities } from '../contract/host-api.ts'
import type { JsonObject } from '../lib/json.ts'

export interface FoundAgent {
  /** What it would be called in the settings. */
  id: string
  /** What would stand there. */
  settings: JsonObject
  /** Its file; null for a model provider, and where it is not installed. */
  program: string | null
  installed: boolean
  /** As it says itself; null where it says none in time. */
  version: string | null
  /** Null where nothing tells without asking a model. */
  signedIn: boolean | null
  /** By what that is known, in words. */
  detail: string
  capabilities: BackendCapabilities
  /** Ids of back ends of that kind in the settings. */
  configured: string[]
}
