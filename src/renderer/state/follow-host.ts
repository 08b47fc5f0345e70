// Keeps lists and status up with the host: at its pushes, and whole after the line was down.

import type { StoreApi } from 'zustand/vanilla'
import type { HostStatus } from '../../shared/index.ts'
import type { HostConnection } from './client/connection.ts'
import type { Documents } from './documents/documents.ts'
import { messageOf } from './message-of.ts'
import type { Notices } from './notices.ts'
import type { WindowState } from './window-state.ts'

interface Refreshable {
  refresh(): Promise<void>
}

interface FollowHostOptions {
  connection: HostConnection
  workspace: string
  window: StoreApi<WindowState>
  notices: Notices
  documents: Documents
  /** Asked for whole after each connect; the first is the list of workflows. */
  lists: readonly [Refreshable, ...Refreshable[]]
}

/** Returns the function that loads it all. */
export function followHost({
  connection,
  workspace,
  window,
  notices,
  documents,
  lists,
}: FollowHostOptions): () => Promise<void> {
  const told = new Set<string>()
  const tellStatus = (host: HostStatus): void => {
    window.setState({ host })
    // Once each: what was dismissed does not come back with the next push.
    for (const warning of (host.warnings ?? []).filter((one) => !told.has(one))) {
      told.add(warning)
      notices.error(warning)
    }
  }

  const refreshAll = async (): Promise<void> => {
    const status = connection.call('host.status', {}).then(tellStatus)
    const backends = connection.call('backends.list', {}).then((list) => window.setState({ backends: list.backends }))
    await Promise.all([...lists.map((list) => list.refresh()), status, backends]).catch((error: unknown) =>
      notices.error(messageOf(error)),
    )
  }

  connection.on('host.status', tellStatus)
  connection.on('workflows.changed', (change) => {
    if (change.workspace !== workspace) return
    void lists[0].refresh()
    void documents.checkDisk()
  })
  connection.onStatus((status) => {
    window.setState({ connection: status })
    // What happened while the line was down is nowhere but in the lists.
    if (status === 'connected') void refreshAll()
    if (status === 'closed') notices.error('The host speaks another version now. Reload the window to go on with it.')
  })

  return refreshAll
}
