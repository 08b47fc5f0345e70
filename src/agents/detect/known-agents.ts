// The agents that are looked for, and what tells that somebody is signed in to one. Nothing here asks a model or the network.

import { join } from 'node:path'
import { ACP_PRESETS, type AcpPresetName } from '../acp/presets.ts'
import { COMMAND_PRESETS, type CommandPresetName } from '../command/presets/preset-backend.ts'
import { PROVIDERS } from '../model-api/providers.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** Asked in this order; the first that says yes counts. */
export interface SignIn {
  /** Variables that hold a key or a token. */
  variables: readonly string[]
  /** Files that it writes when one signs in. */
  files(env: Env, home: string): string[]
  /** Arguments of a command that exits with 0 when somebody is signed in. */
  status?: readonly string[]
  /** True where a sign-in may be somewhere that is not looked at, such as the system's key store. */
  elsewhere: boolean
}

export interface KnownAgent {
  id: string
  settings: { kind: 'command'; preset: CommandPresetName } | { kind: 'acp'; preset: AcpPresetName }
  program: string
  signIn: SignIn
}

const dataHome = (env: Env, home: string): string => env['XDG_DATA_HOME'] ?? join(home, '.local', 'share')

const SIGN_IN = {
  claude: {
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    files: (env, home) => [join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), '.credentials.json')],
    // On macOS it is in the key chain.
    elsewhere: process.platform === 'darwin',
  },
  codex: {
    variables: ['CODEX_API_KEY'],
    files: (env, home) => [join(env['CODEX_HOME'] ?? join(home, '.codex'), 'auth.json')],
    status: ['login', 'status'],
    // Its configuration may name a provider of its own.
    elsewhere: true,
  },
  gemini: {
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    files: (_env, home) => [join(home, '.gemini', 'oauth_creds.json')],
    elsewhere: true,
  },
  goose: { variables: ['GOOSE_PROVIDER'], files: () => [], elsewhere: true },
  opencode: {
    variables: [...PROVIDERS.anthropic.keyNames, ...PROVIDERS.openai.keyNames, ...PROVIDERS.google.keyNames],
    files: (env, home) => [join(dataHome(env, home), 'opencode', 'auth.json')],
    // It has models that need no sign-in, and providers in its configuration.
    elsewhere: true,
  },
  qwen: {
    variables: ['OPENAI_API_KEY'],
    files: (_env, home) => [join(home, '.qwen', 'oauth_creds.json')],
    elsewhere: true,
  },
} as const satisfies Record<string, SignIn>

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  ...keysOf(COMMAND_PRESETS).map((preset) => ({
    id: preset,
    settings: { kind: 'command' as const, preset },
    program: COMMAND_PRESETS[preset].program,
    signIn: SIGN_IN[preset],
  })),
  ...keysOf(ACP_PRESETS).map((preset) => ({
    id: `${preset}-acp`,
    settings: { kind: 'acp' as const, preset },
    program: ACP_PRESETS[preset].command[0],
    // The adapters have no command of that kind.
    signIn: preset === 'opencode' || preset === 'qwen' ? SIGN_IN[preset] : withoutStatus(SIGN_IN[preset]),
  })),
]

function withoutStatus({ status: _own, ...rest }: SignIn): SignIn {
  return rest
}

function keysOf<Key extends string>(record: Record<Key, unknown>): Key[] {
  // Own constants, which have no other keys than their type says.
  return Object.keys(record) as Key[]
}
