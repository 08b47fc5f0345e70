// The runs that have a tab: one session each, ended with the tab.

import type { HostClient } from '../../../shared/index.ts'
import type { Tab } from '../tabs/tabs.ts'
import type { DryRunReply } from './run-actions.ts'
import { followRun, showDryRun, type RunSession } from './run-session.ts'

export interface Sessions {
  /** The session behind a run's or dry run's tab; a stored run is followed from the first time it is asked for. */
  of(tab: Tab): RunSession | undefined
  keepDryRun(tabId: string, reply: DryRunReply): void
  close(tabId: string): void
}

export function createSessions(client: HostClient): Sessions {
  const sessions = new Map<string, RunSession>()
  return {
    of(tab) {
      const known = sessions.get(tab.id)
      if (known !== undefined || tab.kind !== 'run') return known
      const session = followRun(client, tab.runId)
      sessions.set(tab.id, session)
      return session
    },
    keepDryRun(tabId, reply) {
      sessions.get(tabId)?.dispose()
      sessions.set(tabId, showDryRun(reply))
    },
    close(tabId) {
      sessions.get(tabId)?.dispose()
      sessions.delete(tabId)
    },
  }
}
