// The configured back ends as the engine takes them: real ones for a run, their simulated stand-ins for a dry run.

import {
  createCommandBackend,
  createSimulatedBackend,
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
import type { BackendSettings, Settings } from '../settings/schema.ts'
import type { LoadedSettings } from '../settings/settings-file.ts'
import { isCommand, isSimulated } from './kinds.ts'
import { createLaterBackend } from './later-backend.ts'

type Simulation = NonNullable<HostCalls['run.dryRun']['params']['simulation']>

export interface RunBackendOptions {
  settings: Settings
  /** The id that the run's own calls get. */
  chosen: string
  clock: Clock
  fixtures: Fixtures | undefined
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
    if (!isCommand(settings)) return createLaterBackend(id, settings)
    const { env, reaper, worktrees } = this.#options
    const backend = createCommandBackend({
      id,
      protocol: settings.protocol,
      command: settings.command,
      inheritedEnv: env,
      ...(settings.env && { env: settings.env }),
      reaper,
    })
    return withWorktrees(backend, worktrees)
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
      const known = made.get(provider)
      const own = configured.get(provider)
      if (known !== undefined || own === undefined) return known
      const backend = create(provider, own)
      made.set(provider, backend)
      return backend
    },
  }
}
