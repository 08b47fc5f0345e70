// A back end's settings as a form has them, and back. Fields that the form does not know stay. Pure.

import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/index.ts'
import { valueText } from '../../state/value-text.ts'

export interface BackendDraft {
  kind: 'command' | 'simulated' | 'other'
  /** One word of the command a line. */
  command: string
  /** `NAME=value`, one a line. */
  env: string
  seed: string
  failRate: string
  json: string
}

export function draftOf(id: string, backend: JsonValue | undefined): BackendDraft {
  const known = isJsonObject(backend) ? backend : {}
  const { kind, command, env, seed, failRate } = known
  const isCommand = kind === 'command' && known['preset'] === undefined
  return {
    kind:
      kind === 'simulated' || id === 'simulated' ? 'simulated' : kind === undefined || isCommand ? 'command' : 'other',
    command: Array.isArray(command) ? command.map(valueText).join('\n') : '',
    env: isJsonObject(env)
      ? Object.entries(env)
          .map(([name, value]) => `${name}=${valueText(value)}`)
          .join('\n')
      : '',
    seed: typeof seed === 'number' ? String(seed) : '',
    failRate: typeof failRate === 'number' ? String(failRate) : '',
    json: JSON.stringify(Object.keys(known).length > 0 ? known : { kind: 'acp', command: [] }, null, 2),
  }
}

/** `before` is what the settings hold: what the form has no field for is taken from it. */
export function backendOf(draft: BackendDraft, before: JsonObject): { value: JsonObject } | { error: string } {
  const lines = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  switch (draft.kind) {
    case 'other':
      try {
        const value: unknown = JSON.parse(draft.json)
        return isJsonObject(value) ? { value } : { error: 'A back end is a JSON object with a kind.' }
      } catch (error) {
        return { error: `Not JSON: ${error instanceof Error ? error.message : String(error)}` }
      }
    case 'command': {
      const command = lines(draft.command)
      if (command.length === 0) return { error: 'Give the program that is started.' }
      const pairs = lines(draft.env).map((line) => [
        line.slice(0, line.indexOf('=')),
        line.slice(line.indexOf('=') + 1),
      ])
      const wrong = lines(draft.env).find((line) => line.indexOf('=') < 1)
      if (wrong !== undefined) return { error: `Not NAME=value: ${wrong}` }
      const { env: _env, ...others } = before['kind'] === 'command' ? before : {}
      const env = Object.fromEntries(pairs) as JsonObject // pairs of texts
      return {
        value: { ...others, kind: 'command', protocol: 'jsonl', command, ...(pairs.length > 0 && { env }) },
      }
    }
    case 'simulated': {
      const { seed: _seed, failRate: _failRate, ...others } = before['kind'] === 'simulated' ? before : {}
      return {
        value: {
          ...others,
          kind: 'simulated',
          ...(draft.seed !== '' && { seed: Number(draft.seed) }),
          ...(draft.failRate !== '' && { failRate: Number(draft.failRate) }),
        },
      }
    }
  }
}
