// Back ends of the kind `model-api`: a model provider, asked directly through the AI SDK, with a small loop of tools.

import type { AgentBackend } from '../../engine/index.ts'
import type { BackendCapabilities, Usage } from '../../shared/index.ts'
import { refuseByCapabilities, type AgentOptions } from '../capabilities.ts'
import type { Reaper } from '../process/reaper-client.ts'
import { readAllowedTools } from './allowed-tools.ts'
import type { Access } from './leave.ts'
import { findKey, KEY_NAMES, PROVIDERS, type Provider, type ProviderName } from './providers.ts'
import { createRedact } from './redact.ts'

export interface ModelApiBackendOptions {
  id: string
  provider: ProviderName
  /** Of calls that name none. */
  model?: string
  /** Instead of the provider's own address; needed for `openai-compatible`. */
  baseUrl?: string
  /** Name of the environment variable that holds the key, instead of the provider's own. */
  apiKeyEnv?: string
  /** Of OpenAI. Default `responses`. */
  api?: 'responses' | 'chat'
  /** What agents may do without asking. Default `write`: change files in their folder. */
  access?: Access
  /** Requests of one call. Default 200. */
  maxTurns?: number
  maxOutputTokens?: number
  inheritedEnv: Readonly<Record<string, string | undefined>>
  reaper?: Reaper
  /** In US dollars, of one request; undefined when not known. */
  priceOf?(model: string, usage: Usage): number | undefined
}

const MAX_TURNS = 200

export function createModelApiBackend(options: ModelApiBackendOptions): AgentBackend {
  const { id, provider, inheritedEnv, apiKeyEnv, reaper, priceOf, maxOutputTokens } = options
  const known: Provider = PROVIDERS[provider]
  const baseUrl = options.baseUrl ?? known.baseUrl
  const key = findKey(provider, apiKeyEnv, inheritedEnv)
  const capabilities: BackendCapabilities = {
    schema: 'tool',
    models: true,
    effort: true,
    // Given by who wraps this back end.
    agentType: false,
    worktree: false,
    allowedTools: true,
    usage: 'exact',
    cost: priceOf !== undefined,
    steer: false,
    permissions: true,
    resumeSession: false,
  }
  const refuse = (asked: AgentOptions): string | undefined => {
    const refusal = refuseByCapabilities(id, capabilities, asked)
    if (refusal !== undefined) return refusal
    if (asked.effort !== undefined && !known.efforts.includes(asked.effort))
      return `back end "${id}" has no effort "${asked.effort}": ${provider} knows ${known.efforts.join(', ')}`
    const tools = readAllowedTools(asked.allowedTools)
    return typeof tools === 'string' ? `back end "${id}" ${tools}` : undefined
  }
  return {
    id,
    kind: 'model-api',
    capabilities,
    refuse,
    unavailable() {
      if (baseUrl === undefined) return Promise.resolve(`${provider} needs a baseUrl in the settings`)
      if (key.name === undefined || key.value !== undefined) return Promise.resolve(undefined)
      const names = apiKeyEnv === undefined ? known.keyNames.join(' or ') : apiKeyEnv
      return Promise.resolve(`there is no API key: the environment variable ${names} is not set`)
    },
    runner: {
      async run(request, _host, signal, onProgress) {
        const model = request.model ?? options.model
        if (model === undefined || baseUrl === undefined) {
          const missing = model === undefined ? 'a model (in the call or in its settings)' : 'a baseUrl in its settings'
          return { kind: 'dead', error: `back end "${id}" needs ${missing}`, failure: 'other', notStarted: true }
        }
        // Loaded when first needed: the SDK is large.
        const { runModelCall } = await import('./model-call.ts')
        const call = {
          provider,
          baseUrl,
          api: options.api ?? 'responses',
          key: key.value,
          access: options.access ?? 'write',
          maxTurns: options.maxTurns ?? MAX_TURNS,
          env: withoutKeys(inheritedEnv, apiKeyEnv),
          // A command may find the others' keys as well, in this process's environment.
          redact: createRedact([key.value, ...KEY_NAMES.map((name) => inheritedEnv[name])]),
          ...(maxOutputTokens !== undefined && { maxOutputTokens }),
          ...(priceOf && { priceOf }),
          ...(reaper && { reaper }),
        } as const
        return runModelCall(call, model, request, signal, onProgress)
      },
    },
  }
}

/** What an agent's commands inherit: no key of any provider. */
function withoutKeys(
  env: Readonly<Record<string, string | undefined>>,
  named: string | undefined,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== named && !KEY_NAMES.includes(name)))
}
