// The model providers that are known: where they are reached, which variables hold their keys, which efforts they have. Apart
// from the AI SDK's code, which is loaded when a call needs it.

import type { AgentRequest } from '../../engine/index.ts'

export type Effort = NonNullable<AgentRequest['effort']>

export interface Provider {
  /** Of its API. Undefined: the settings have to say. */
  baseUrl?: string
  /** Environment variables that may hold the key, first come first taken. Empty: it may do without one. */
  keyNames: readonly string[]
  efforts: readonly Effort[]
}

const ALL_EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const

export const PROVIDERS = {
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', keyNames: ['ANTHROPIC_API_KEY'], efforts: ALL_EFFORTS },
  openai: { baseUrl: 'https://api.openai.com/v1', keyNames: ['OPENAI_API_KEY'], efforts: ALL_EFFORTS },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyNames: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    efforts: ['low', 'medium', 'high'],
  },
  // It takes the others too and makes one of these of them.
  deepseek: { baseUrl: 'https://api.deepseek.com', keyNames: ['DEEPSEEK_API_KEY'], efforts: ['low', 'high', 'max'] },
  // Ollama, vLLM, LM Studio and whoever else speaks OpenAI's chat completions.
  'openai-compatible': { keyNames: [], efforts: ALL_EFFORTS },
} as const satisfies Record<string, Provider>

export type ProviderName = keyof typeof PROVIDERS

/** Names of every variable that holds a provider's key: no command that an agent runs gets them. */
export const KEY_NAMES: readonly string[] = Object.values(PROVIDERS).flatMap(({ keyNames }) => keyNames)

export interface ApiKey {
  /** The variable that it was found in, or in which it is missing. */
  name: string | undefined
  value: string | undefined
}

/** `named`: the variable of the settings, which then is the only one that counts. */
export function findKey(
  provider: ProviderName,
  named: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): ApiKey {
  const names = named === undefined ? PROVIDERS[provider].keyNames : [named]
  const name = names.find((candidate) => (env[candidate]?.trim() ?? '') !== '') ?? names[0]
  const value = name === undefined ? undefined : env[name]?.trim()
  return { name, value: value === '' ? undefined : value }
}
