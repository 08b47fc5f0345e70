// The harnesses whose configuration is known: where it is, what an entry looks like in it, what else they need. Where the
// facts were measured with real clients, the guide says so (docs/guide/connecting-a-harness.md).

import { join } from 'node:path'
import type { JsonObject } from '../../shared/index.ts'

/** What starts the bridge. */
export interface BridgeCommand {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
}

/** Where a user's configuration is looked for. */
export interface Places {
  home: string
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
}

export interface Harness {
  id: string
  title: string
  programs: readonly string[]
  /** How its names begin when it connects, in small letters. */
  clientNames: readonly string[]
  format: 'json' | 'jsonc' | 'toml' | 'yaml'
  /** Candidates: the first that exists, else the first. */
  userFiles(places: Places): string[]
  /** Relative to the workspace; empty: it has none. */
  projectFiles: readonly string[]
  /** The table or object that holds the servers. */
  container: string
  entry(bridge: BridgeCommand): JsonObject
  notes: readonly string[]
}

const withEnv = ({ env }: BridgeCommand, name = 'env'): JsonObject =>
  Object.keys(env).length === 0 ? {} : { [name]: { ...env } }
const plain = (bridge: BridgeCommand): JsonObject => ({
  command: bridge.command,
  args: [...bridge.args],
  ...withEnv(bridge),
})
const typed = (bridge: BridgeCommand): JsonObject => ({ type: 'stdio', ...plain(bridge) })

function configFolder({ home, env, platform }: Places): string {
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming')
  return env['XDG_CONFIG_HOME'] || join(home, '.config')
}

function editorFolder(places: Places): string {
  return places.platform === 'darwin' ? join(places.home, 'Library', 'Application Support') : configFolder(places)
}

export const HARNESSES: readonly Harness[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    programs: ['claude'],
    clientNames: ['claude'],
    format: 'json',
    userFiles: ({ home, env }) => [join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json')],
    projectFiles: ['.mcp.json'],
    container: 'mcpServers',
    entry: typed,
    notes: ['It asks before each call, unless "mcp__weft" stands under permissions.allow in its settings.'],
  },
  {
    id: 'codex',
    title: 'Codex',
    programs: ['codex'],
    clientNames: ['codex'],
    format: 'toml',
    userFiles: ({ home, env }) => [join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml')],
    projectFiles: ['.codex/config.toml'],
    container: 'mcp_servers',
    // Without `required` its first turn may begin before the tools are there; without the mode calls fail where it asks nobody.
    entry: (bridge) => ({ ...plain(bridge), required: true, default_tools_approval_mode: 'approve' }),
    notes: ['It ends a call after 300 s: longer runs go on, and it is told how to wait for them.'],
  },
  {
    id: 'opencode',
    title: 'opencode',
    programs: ['opencode'],
    clientNames: ['opencode'],
    format: 'jsonc',
    userFiles: ({ home, env }) => {
      const folder = join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode')
      const named = env['OPENCODE_CONFIG']
      return named ? [named] : [join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')]
    },
    projectFiles: ['opencode.json', 'opencode.jsonc'],
    container: 'mcp',
    entry: (bridge) => ({
      type: 'local',
      enabled: true,
      command: [bridge.command, ...bridge.args],
      ...withEnv(bridge, 'environment'),
    }),
    notes: [],
  },
  ...(['gemini', 'qwen'] as const).map((name): Harness => ({
    id: name === 'gemini' ? 'gemini-cli' : 'qwen-code',
    title: name === 'gemini' ? 'Gemini CLI' : 'Qwen Code',
    programs: [name],
    clientNames: [name],
    format: 'jsonc',
    userFiles: ({ home }) => [join(home, `.${name}`, 'settings.json')],
    projectFiles: [`.${name}/settings.json`],
    container: 'mcpServers',
    entry: plain,
    notes: [
      'It asks before each call, unless the entry has "trust": true.',
      'Its cancel does not reach servers: cancel in Weft.',
    ],
  })),
  {
    id: 'cursor',
    title: 'Cursor',
    programs: ['cursor', 'cursor-agent'],
    clientNames: ['cursor'],
    format: 'jsonc',
    userFiles: ({ home }) => [join(home, '.cursor', 'mcp.json')],
    projectFiles: ['.cursor/mcp.json'],
    container: 'mcpServers',
    entry: typed,
    notes: ['Switch the server on in its MCP settings, where it asks for that.'],
  },
  {
    id: 'vscode',
    title: 'VS Code',
    programs: ['code'],
    clientNames: ['visual studio code', 'vscode'],
    format: 'jsonc',
    userFiles: (places) => [join(editorFolder(places), 'Code', 'User', 'mcp.json')],
    projectFiles: ['.vscode/mcp.json'],
    container: 'servers',
    entry: typed,
    notes: ['It asks once whether you trust the server.'],
  },
  {
    id: 'zed',
    title: 'Zed',
    programs: ['zed', 'zeditor'],
    clientNames: ['zed'],
    format: 'jsonc',
    userFiles: (places) => [
      places.platform === 'darwin'
        ? join(places.home, '.config', 'zed', 'settings.json')
        : join(configFolder(places), places.platform === 'win32' ? 'Zed' : 'zed', 'settings.json'),
    ],
    projectFiles: ['.zed/settings.json'],
    container: 'context_servers',
    entry: plain,
    notes: [],
  },
  {
    id: 'goose',
    title: 'goose',
    programs: ['goose'],
    clientNames: ['goose'],
    format: 'yaml',
    userFiles: (places) => [
      places.platform === 'win32'
        ? join(configFolder(places), 'Block', 'goose', 'config', 'config.yaml')
        : join(places.env['XDG_CONFIG_HOME'] || join(places.home, '.config'), 'goose', 'config.yaml'),
    ],
    projectFiles: [],
    container: 'extensions',
    entry: (bridge) => ({
      name: 'weft',
      description: 'Workflows of many agents',
      type: 'stdio',
      enabled: true,
      cmd: bridge.command,
      args: [...bridge.args],
      envs: { ...bridge.env },
      timeout: 300,
    }),
    notes: [],
  },
]
