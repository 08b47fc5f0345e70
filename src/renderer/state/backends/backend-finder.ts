// Agents of this machine: found, offered while nothing is configured, put into the settings.

import { createStore } from 'zustand/vanilla'
import { isJsonObject, type FoundAgent, type HostClient } from '../../../shared/index.ts'
import { messageOf } from '../message-of.ts'
import type { Notices } from '../notices.ts'
import type { HostSettings } from '../settings/host-settings.ts'
import { withValue } from '../settings/settings-fields.ts'

export interface BackendFinderState {
  looking: boolean
  /** Null until they were looked for. */
  found: readonly FoundAgent[] | null
  error: string | null
}

interface FinderParts {
  client: HostClient
  settings: Pick<HostSettings, 'store' | 'refresh' | 'write'>
  notices: Pick<Notices, 'info' | 'error' | 'offer'>
}

const MOST_OFFERED = 3

export function createBackendFinder({ client, settings, notices }: FinderParts) {
  const store = createStore<BackendFinderState>(() => ({ looking: false, found: null, error: null }))
  const look = async (): Promise<readonly FoundAgent[]> => {
    store.setState({ looking: true })
    try {
      const { found } = await client.call('backends.find', {})
      store.setState({ looking: false, found, error: null })
      return found
    } catch (error) {
      store.setState({ looking: false, error: messageOf(error) })
      return []
    }
  }
  const isConfigured = (): boolean => {
    const { settings: all, load, errors } = settings.store.getState()
    return load !== 'ready' || errors.length > 0 || 'backends' in all || 'defaultBackend' in all
  }
  const finder = {
    store,
    look,

    /** Writes it into the settings; `chosen` makes it the default. */
    async add(agent: FoundAgent, chosen: boolean): Promise<void> {
      const { settings: all } = settings.store.getState()
      const known = isJsonObject(all['backends']) ? all['backends'] : {}
      const id = agent.configured[0] ?? agent.id
      const next = id in known ? all : withValue(all, ['backends', id], agent.settings)
      if (await settings.write(chosen ? withValue(next, ['defaultBackend'], id) : next)) {
        notices.info(chosen ? `${id} runs agents from now on.` : `${id} was added.`)
        await look()
      } else notices.error(`${id} was not added: ${settings.store.getState().violations.join('; ')}`)
    },

    /** While nothing was ever chosen: who is signed in may run agents, if the user wants that. */
    async offer(): Promise<void> {
      await settings.refresh()
      if (isConfigured()) return
      // A model provider needs a model besides: for the settings.
      const ready = (await look()).filter(({ signedIn, program }) => signedIn === true && program !== null)
      if (ready.length === 0 || isConfigured()) return
      notices.offer('choose-backend', 'No back end is chosen yet: agents are simulated. Who shall run them?', [
        ...ready.slice(0, MOST_OFFERED).map((agent) => ({
          label: `Use ${agent.id}`,
          run: () => void finder.add(agent, true),
        })),
        {
          label: 'Keep simulating',
          run: () =>
            void settings.write(withValue(settings.store.getState().settings, ['defaultBackend'], 'simulated')),
        },
      ])
    },
  }
  return finder
}
