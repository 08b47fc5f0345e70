// The configured back ends as the engine takes them: real ones for a run, their simulated stand-ins for a dry run.

import {
  costOf,
  createAcpBackend,
  createCommandBackend,
  createModelApiBackend,
  createPresetBackend,
  createSimulatedBackend,
  definitionFolders,
  withAgentTypes,
  withPrices,
  withWorktrees,
  type AnswerGenerator,
  type Fixtures,
  type Reaper,
  type SimulatedBackendOptions,
  type Worktrees,
} from '../../agents/index.ts'
import { systemClock, type AgentBackend, type BackendSource, type Clock } from '../../engine/index.ts'
import type { BackendInfo, HostCalls } from '../../shared/index.ts'
import { defaultBackend, requireKnown } from '../runs/choose-backend.ts'
import { BUILT_IN_BACKEND } from '../settings/check-settings.ts'
import type { BackendSettings, HarnessSettings, ModelApiSettings, Settings } from '../settings/schema.ts'
import type { LoadedSettings } from '../settings/settings-file.ts'
import { createHarnessBackend } from './harness-backend.ts'
import { isAcp, isHarness, isModelApi, isPreset, isSimulated } from './kinds.ts'

type Simulation = NonNullable<HostCalls['run.dryRun']['params']['simulation']>

export interface RunBackendOptions {
  settings: Settings
  /** The id that the run's own calls get. */
  chosen: string
  clock: Clock
  fixtures: Fixtures | undefined
  /** Name of the harness that asked for the run. */
  client?: string | undefined
}

export interface DryRunBackendOptions extends RunBackendOptions {
  simulation: Pick<Simulation, 'seed' | 'failRate' | 'failCalls'> &
    Pick<SimulatedBackendOptions, 'history' | 'recorded'>
}

export interface BackendRegistryOptions {
  env: Readonly<Record<string, string | undefined>>
  reaper: Reaper
  generator: AnswerGenerator
  worktrees: Worktrees
  /** Of the user: where named agents are defined besides the workspace. */
  home: string
  configDir: string
}

export class BackendRegistry {
  readonly #options: BackendRegistryOptions

  constructor(options: BackendRegistryOptions) {
    this.#options = options
  }

  /** The back ends of one run. */
  forRun(options: RunBackendOptions): BackendSource {
    return createSource(options, (id, settings) => this.#create(id, settings, options))
  }

  /** The same ids with the same limits, but every agent is simulated. */
  forDryRun(options: DryRunBackendOptions): BackendSource {
    return createSource(options, (id, settings) => {
      const real = this.#create(id, settings, options)
      const standIn = this.#simulate(id, settings, options, options.simulation)
      return {
        ...standIn,
        capabilities: real.capabilities,
        ...(real.refuse && { refuse: (asked) => real.refuse?.(asked) }),
      }
    })
  }

  /** Every back end with what it can do and whether it is there. */
  async list(loaded: LoadedSettings): Promise<BackendInfo[]> {
    const { settings } = loaded
    const chosen = defaultBackend(loaded)
    const source = this.forRun({ settings, chosen, clock: systemClock, fixtures: undefined })
    const backends = source.ids().map((id) => requireKnown(source, id))
    return Promise.all(
      backends.map(async (backend) => {
        const { id, kind, capabilities } = backend
        const reason = await backend.unavailable?.()
        const isDefault = id === chosen && loaded.errors.length === 0
        return { id, kind, isDefault, available: reason === undefined, detail: reason ?? null, capabilities }
      }),
    )
  }

  #create(id: string, settings: BackendSettings, options: RunBackendOptions): AgentBackend {
    if (isSimulated(settings)) return this.#simulate(id, settings, options, {})
    if (isHarness(settings)) return this.#harness(id, settings, options)
    const { env, reaper, worktrees, home, configDir } = this.#options
    const carry = options.settings.worktreeUncommitted === 'carry'
    const isolate = (backend: AgentBackend): AgentBackend => withWorktrees(backend, worktrees, carry)
    const common = { id, inheritedEnv: env, reaper }
    const agentTypes = {
      folders: (workspace: string) => definitionFolders(workspace, home, configDir),
      claudeModels: 'preset' in settings && settings.preset === 'claude',
    }
    if (isPreset(settings) || isAcp(settings)) {
      const backend = isPreset(settings)
        ? createPresetBackend({ ...withoutKind(settings), ...common })
        : createAcpBackend({ ...withoutKind(settings), ...common })
      return withAgentTypes(isolate(withPrices(backend, settings.prices)), agentTypes)
    }
    if (isModelApi(settings)) return withAgentTypes(isolate(this.#modelApi(settings, common)), agentTypes)
    const backend = createCommandBackend({
      ...common,
      protocol: settings.protocol,
      command: settings.command,
      ...(settings.env && { env: settings.env }),
    })
    return isolate(withPrices(backend, settings.prices))
  }

  #modelApi(
    settings: ModelApiSettings,
    common: Pick<Parameters<typeof createModelApiBackend>[0], 'id' | 'inheritedEnv' | 'reaper'>,
  ): AgentBackend {
    const { provider, baseUrl, prices } = settings
    const { prices: _ours, ...own } = withoutKind(settings)
    return createModelApiBackend({
      ...own,
      ...common,
      // Another address has prices of its own.
      priceOf: (model, usage) =>
        costOf(usage, { provider, model, at: Date.now() }, prices, baseUrl === undefined ? undefined : []),
    })
  }

  /** The back end that the calling client is mapped to, under the name that was asked for. */
  #harness(id: string, { clients }: HarnessSettings, options: RunBackendOptions): AgentBackend {
    const { client, settings } = options
    const target = client === undefined ? undefined : clients[client]
    if (target === undefined) return createHarnessBackend(id, client)
    const own = settings.backends?.[target] ?? (target === BUILT_IN_BACKEND ? { kind: BUILT_IN_BACKEND } : undefined)
    if (own === undefined || isHarness(own)) return createHarnessBackend(id, client)
    return { ...this.#create(target, own, options), id }
  }

  #simulate(
    id: string,
    settings: BackendSettings,
    options: RunBackendOptions,
    simulation: DryRunBackendOptions['simulation'],
  ): AgentBackend {
    const own = isSimulated(settings) ? settings : undefined
    const seed = simulation.seed ?? own?.seed
    const failRate = simulation.failRate ?? own?.failRate
    return createSimulatedBackend({
      id,
      clock: options.clock,
      generator: this.#options.generator,
      ...(options.fixtures && { fixtures: options.fixtures }),
      ...(seed !== undefined && { seed }),
      ...(failRate !== undefined && { failRate }),
      ...(simulation.failCalls && { failCalls: simulation.failCalls }),
      ...(simulation.history && { history: simulation.history }),
      ...(simulation.recorded && { recorded: simulation.recorded }),
    })
  }
}

/** One object per id and run, made when first asked for. */
function createSource(
  { settings, chosen }: RunBackendOptions,
  create: (id: string, settings: BackendSettings) => AgentBackend,
): BackendSource {
  const configured = new Map<string, BackendSettings>(Object.entries(settings.backends ?? {}))
  if (!configured.has(BUILT_IN_BACKEND)) configured.set(BUILT_IN_BACKEND, { kind: BUILT_IN_BACKEND })
  const made = new Map<string, AgentBackend>()
  return {
    ids: () => [...configured.keys()],
    resolve(provider = chosen) {
      const id = configured.has(provider) ? provider : findByProvider(provider, configured, chosen)
      const known = made.get(id)
      const own = configured.get(id)
      if (known !== undefined || own === undefined) return known
      const backend = create(id, own)
      made.set(id, backend)
      return backend
    },
  }
}

/** Where no back end is called so, the one that asks this model provider: the run's own if it does, else the first. */
function findByProvider(provider: string, configured: ReadonlyMap<string, BackendSettings>, chosen: string): string {
  const asking = [...configured].flatMap(([id, own]) => (isModelApi(own) && own.provider === provider ? [id] : []))
  return asking.find((id) => id === chosen) ?? asking[0] ?? provider
}

function withoutKind<T extends { kind: string }>({ kind: _known, ...own }: T): Omit<T, 'kind'> {
  return own
}
