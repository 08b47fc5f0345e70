// Real command-line agents and a model that is none, for tests that are run by `npm run test:clients`. The clients are
// installed once, in pinned versions, into a cache folder; nothing of the user's configuration is read.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const CLIENTS = ['opencode-ai@1.18.33', '@openai/codex@0.171.0']
const CACHE = process.env['WEFT_TEST_CLIENTS'] ?? join(homedir(), '.cache', 'weft-test-clients')

/** The folder with their programs. */
function installClients(): string {
  const bin = join(CACHE, 'node_modules', '.bin')
  if (existsSync(join(bin, 'codex')) && existsSync(join(bin, 'opencode'))) return bin
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(join(CACHE, 'package.json'), '{"private":true}\n')
  const args = ['install', '--no-audit', '--no-fund', '--save-exact', ...CLIENTS]
  const { status, stderr } = spawnSync('npm', args, { cwd: CACHE, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The clients could not be installed: ${stderr}`)
  return bin
}

export interface ClientWorld {
  /** Own home, own configuration, the fake model. */
  env: Record<string, string | undefined>
  /** A folder to work in. */
  cwd: string
  /** For whatever else a test keeps; goes with the world. */
  root: string
  dispose(): Promise<void>
}

/** What the model says to a prompt that `match` (a pattern) fits: it calls the tool first, if one is named. */
export interface ModelRule {
  match: string
  call?: { tool: string; args: object }
  json: object
}

export async function makeClientWorld(rules: readonly ModelRule[] = []): Promise<ClientWorld> {
  const bin = installClients()
  const root = mkdtempSync(join(tmpdir(), 'weft-clients-'))
  const ruleFile = join(root, 'rules.json')
  writeFileSync(ruleFile, JSON.stringify(rules))
  const model = spawn(process.execPath, [fileURLToPath(new URL('fake-model.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FAKE_RULES: ruleFile },
  })
  const [said] = (await once(createInterface({ input: model.stdout }), 'line')) as [string]
  const address = /http:\S+/.exec(said)?.[0] ?? ''
  const [home, cwd, codexHome] = [join(root, 'home'), join(root, 'work'), join(root, 'codex')]
  for (const folder of [home, cwd, codexHome]) mkdirSync(folder)
  writeFileSync(join(cwd, 'a.txt'), 'hello\n')
  writeFileSync(join(codexHome, 'config.toml'), codexConfig(address))
  writeFileSync(join(root, 'opencode.json'), JSON.stringify(opencodeConfig(address)))
  return {
    cwd,
    root,
    env: {
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_DATA_HOME: join(home, '.local', 'share'),
      XDG_CACHE_HOME: join(home, '.cache'),
      XDG_STATE_HOME: join(home, '.local', 'state'),
      CODEX_HOME: codexHome,
      FAKE_KEY: 'x',
      OPENCODE_CONFIG: join(root, 'opencode.json'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
    async dispose() {
      model.kill()
      await once(model, 'exit')
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function codexConfig(address: string): string {
  return [
    'model = "fake-model"',
    'model_provider = "fake"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[mcp_servers.weft]',
    'command = "weft-is-not-to-be-started"',
    'required = true',
    '[model_providers.fake]',
    'name = "fake"',
    `base_url = "${address}/v1"`,
    'wire_api = "responses"',
    'env_key = "FAKE_KEY"',
    'request_max_retries = 0',
    'stream_max_retries = 0',
    'requires_openai_auth = false',
  ].join('\n')
}

function opencodeConfig(address: string): object {
  const model = { tool_call: true, limit: { context: 128_000, output: 8000 }, cost: { input: 1, output: 2 } }
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
    enabled_providers: ['fake'],
    provider: {
      fake: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Fake',
        options: { baseURL: `${address}/v1`, apiKey: 'x' },
        models: {
          'fake-model': { name: 'Fake model', ...model },
          'fake-model-2': { name: 'Fake model 2', ...model },
        },
      },
    },
  }
}

/** The ids of processes that work for a run. */
export function processesOf(runId: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`WEFT_RUN_ID=${runId}\0`)
    } catch {
      return false
    }
  })
}
