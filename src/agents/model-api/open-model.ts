// A provider of the AI SDK, made for one call: our key, our address, our fetch. Its code is large and loaded with the first call.

import { createAnthropic } from '@ai-sdk/anthropic'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import type { ProviderName } from './providers.ts'

export interface ModelAddress {
  provider: ProviderName
  model: string
  baseUrl: string
  /** Of OpenAI: its two ways to be talked to. */
  api: 'responses' | 'chat'
  key: string | undefined
}

/** A redirect would carry the key to another host. */
const ownFetch: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' })

export function openModel({ provider, model, baseUrl, api, key = '' }: ModelAddress): LanguageModel {
  const common = { apiKey: key, baseURL: baseUrl, fetch: ownFetch }
  switch (provider) {
    case 'anthropic':
      return createAnthropic(common)(model)
    case 'openai':
      return api === 'chat' ? createOpenAI(common).chat(model) : createOpenAI(common).responses(model)
    case 'google':
      return createGoogle(common)(model)
    case 'deepseek':
      return createDeepSeek(common)(model)
    case 'openai-compatible':
      return createOpenAICompatible({
        name: 'compatible',
        baseURL: baseUrl,
        fetch: ownFetch,
        // Else a stream tells no usage.
        includeUsage: true,
        ...(key !== '' && { apiKey: key }),
      })(model)
  }
}
