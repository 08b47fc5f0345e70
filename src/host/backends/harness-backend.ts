// The back end `harness` where the caller has none of its own: it says so, in the words that harnesses rely on.

import type { AgentBackend } from '../../engine/index.ts'
import { createLaterBackend } from './later-backend.ts'

/** `client` is undefined for a run that no harness asked for. */
export function createHarnessBackend(id: string, client: string | undefined): AgentBackend {
  const reason =
    client === undefined
      ? 'it runs the agents of the harness that asks for a run, and none has'
      : `workflow tool requires a calling agent (${client} has no agent back end configured)`
  return createLaterBackend(id, { kind: 'harness' }, reason)
}
