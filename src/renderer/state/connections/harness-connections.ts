// Connecting harnesses: what stands of Weft in their configuration, what a click would write there, and whom one waits for.

import { createStore } from 'zustand/vanilla'
import type {
  ConnectedHarness,
  ConnectionPreview,
  ConnectionScope,
  HarnessConnection,
  HostClient,
} from '../../../shared/index.ts'
import { messageOf } from '../message-of.ts'
import type { Notices } from '../notices.ts'

/** The file that is looked at. */
export interface ShownFile {
  harness: string
  scope: ConnectionScope
  /** What would be taken out instead. */
  remove: boolean
  /** Null until it is known. */
  preview: ConnectionPreview | null
  error: string | null
}

export interface HarnessConnectionsState {
  /** Null until they were looked for. */
  harnesses: readonly HarnessConnection[] | null
  error: string | null
  shown: ShownFile | null
  /** Ids of harnesses that were set up or copied for, until they connect. */
  awaited: ReadonlySet<string>
}

interface Parts {
  client: HostClient
  workspace: string
  notices: Pick<Notices, 'info' | 'error'>
}

export function createHarnessConnections({ client, workspace, notices }: Parts) {
  const store = createStore<HarnessConnectionsState>(() => ({
    harnesses: null,
    error: null,
    shown: null,
    awaited: new Set(),
  }))
  const isShown = (file: ShownFile): boolean => {
    const { shown } = store.getState()
    return shown?.harness === file.harness && shown.scope === file.scope && shown.remove === file.remove
  }
  const connections = {
    store,

    async refresh(): Promise<void> {
      try {
        const { harnesses } = await client.call('connections.list', { workspace })
        store.setState({ harnesses, error: null })
      } catch (error) {
        store.setState({ error: messageOf(error) })
      }
    },

    /** Looks at what connecting, or `remove`, would change in the file. */
    async show(harness: string, scope: ConnectionScope, remove = false): Promise<void> {
      const file: ShownFile = { harness, scope, remove, preview: null, error: null }
      store.setState({ shown: file })
      try {
        const target = { harness, scope, workspace, ...(remove && { remove }) }
        const preview = await client.call('connections.preview', target)
        if (isShown(file)) store.setState({ shown: { ...file, preview } })
      } catch (error) {
        if (isShown(file)) store.setState({ shown: { ...file, error: messageOf(error) } })
      }
    },
    hide: (): void => store.setState({ shown: null }),

    /** Writes what is shown; a file that changed since is left alone, and looked at again. */
    async write(): Promise<void> {
      const { shown } = store.getState()
      if (shown?.preview == null) return
      const { harness, scope, remove, preview } = shown
      try {
        const target = { harness, scope, workspace, hash: preview.hash }
        const { path, backup } = await client.call(remove ? 'connections.disconnect' : 'connections.connect', target)
        notices.info(`${path} is written${backup === null ? '' : `; as it was: ${backup}`}.`)
        if (!remove) connections.await(harness)
        connections.hide()
      } catch (error) {
        notices.error(messageOf(error))
        await connections.show(harness, scope, remove)
      }
      await connections.refresh()
    },

    /** Somebody sets it up right now, here or by hand. */
    await: (harness: string): void => store.setState(({ awaited }) => ({ awaited: new Set([...awaited, harness]) })),
  }
  return connections
}

/** Those that are connected under one of the harness's names. */
export function connectedAs(
  { clientNames }: Pick<HarnessConnection, 'clientNames'>,
  connected: readonly ConnectedHarness[],
): readonly ConnectedHarness[] {
  return connected.filter(({ name }) => clientNames.some((start) => name?.toLowerCase().startsWith(start)))
}
