// Starting, simulating and stopping runs: what the buttons do, with the text as it stands in the editor.

import { HostError, type HostCalls, type HostClient, type JsonValue, type RunId } from '../../../shared/index.ts'
import type { Documents } from '../documents/documents.ts'

/** What the Run dialog asks for. */
export interface RunRequest {
  /** Absent when the script shall see `undefined`. */
  args?: JsonValue
  backend?: string
  budgetTokens?: number
  maxConcurrentAgents?: number
}

export type DryRunReply = HostCalls['run.dryRun']['result']

export interface RunActions {
  /** Rejects with HostError; SCRIPT_REFUSED carries what is wrong. */
  dryRun(path: string, args: JsonValue | undefined): Promise<DryRunReply>
  start(path: string, request: RunRequest): Promise<RunId>
  cancel(runId: RunId): Promise<void>
}

export function createRunActions(client: HostClient, workspace: string, documents: Documents): RunActions {
  // A saved file runs by its path, an edited one as the text on screen, under the same name and beside the same fixtures.
  const sourceOf = (path: string): HostCalls['run.dryRun']['params']['source'] => {
    const document = documents.get(path)
    if (document === undefined || !document.dirty) return { kind: 'path', path }
    return { kind: 'text', text: documents.textOf(path), fileName: document.fileName, path }
  }
  return {
    dryRun: (path, args) =>
      client.call('run.dryRun', { workspace, source: sourceOf(path), ...(args !== undefined && { args }) }),
    async start(path, request) {
      const { runId } = await client.call('run.start', { workspace, source: sourceOf(path), ...request })
      return runId
    },
    async cancel(runId) {
      await client.call('run.cancel', { runId, reason: 'cancelled by the user' })
    },
  }
}

/** Why a script was not run, with its first problem. */
export function describeRefusal(error: unknown): string {
  if (!(error instanceof HostError)) return error instanceof Error ? error.message : String(error)
  const first = error.diagnostics.find((diagnostic) => diagnostic.severity === 'error') ?? error.diagnostics[0]
  const details = first === undefined ? error.violations[0] : `${first.line}:${first.column} ${first.message}`
  return details === undefined || error.message.includes(details) ? error.message : `${error.message} (${details})`
}
