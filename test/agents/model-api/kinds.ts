// The providers as tests go through them: each with its wire format, and the texts of its errors.

import { createModelApiBackend, type ModelApiBackendOptions } from '../../../src/agents/model-api/model-api-backend.ts'
import type { AgentBackend } from '../../../src/engine/index.ts'
import type { FailureKind, JsonValue } from '../../../src/shared/index.ts'
import type { Turn } from '../../support/agents/model-provider/turn.ts'

export interface Kind {
  name: string
  options: Pick<ModelApiBackendOptions, 'provider' | 'model' | 'api'>
}

export const KINDS: readonly Kind[] = [
  { name: 'anthropic', options: { provider: 'anthropic', model: 'claude-sonnet-5' } },
  { name: 'openai', options: { provider: 'openai', model: 'gpt-5.4', api: 'responses' } },
  { name: 'openai, chat', options: { provider: 'openai', model: 'gpt-5.4', api: 'chat' } },
  { name: 'google', options: { provider: 'google', model: 'gemini-3-pro-preview' } },
  { name: 'deepseek', options: { provider: 'deepseek', model: 'deepseek-chat' } },
  { name: 'openai-compatible', options: { provider: 'openai-compatible', model: 'qwen3' } },
]

export function kindNamed(name: string): Kind {
  const kind = KINDS.find((one) => one.name === name)
  if (kind === undefined) throw new Error(`there is no ${name}`)
  return kind
}

export function makeBackend(
  kind: Kind,
  baseUrl: string,
  { env, ...options }: Partial<ModelApiBackendOptions> & { env?: Record<string, string> } = {},
): AgentBackend {
  return createModelApiBackend({
    id: 'api',
    ...kind.options,
    baseUrl,
    apiKeyEnv: KEY_VARIABLE,
    inheritedEnv: { ...process.env, ...env, [KEY_VARIABLE]: KEY },
    ...options,
  })
}

export const KEY = 'sk-secret-0123456789'
export const KEY_VARIABLE = 'WEFT_TEST_MODEL_KEY'

/** Its error as the providers word it. */
export function errorTurn(kind: Kind, failure: FailureKind, message: string): Turn {
  const [status, type] = (
    {
      transient: [503, 'api_error'],
      quota: [429, 'insufficient_quota'],
      auth: [401, 'authentication_error'],
      refused: [400, 'content_policy_violation'],
      other: [400, 'invalid_request_error'],
    } as Partial<Record<FailureKind, [number, string]>>
  )[failure] ?? [500, 'api_error']
  return { error: { status, body: errorBody(kind, status, type, message) } }
}

export function errorBody({ options }: Kind, status: number, type: string, message: string): JsonValue {
  switch (options.provider) {
    case 'anthropic':
      return { type: 'error', error: { type, message } }
    case 'google':
      return { error: { code: status, message, status: type.toUpperCase() } }
    default:
      return { error: { message, type, param: null, code: type } }
  }
}
