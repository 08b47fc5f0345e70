// Starting, simulating and stopping runs: what the buttons do, with the text as it stands in the editor.

import { HostError, type HostCalls, type HostClient, type JsonValue, type RunId } from '../../../shared/index.ts'
import type { Documents } from '../documents/documents.ts'
import type { Simulation } from '../workflows/dry-run-options.ts'

/** What the Run dialog asks for. */
export interface RunRequest {
  /** Absent when the script shall see `undefined`. */
  args?: JsonValue
  backend?: string
  model?: string
  budgetTokens?: number
  maxConcurrentAgents?: number
  maxAgents?: number
}

export type DryRunReply = HostCalls['run.dryRun']['result']

type Source = HostCalls['run.dryRun']['params']['source']

export interface RunActions {
  /** A saved file by its path, an edited one as the text on screen, under the same name and beside the same fixtures. */
  sourceOf(path: string): Source
  /** Rejects with HostError; SCRIPT_REFUSED carries what is wrong. */
  dryRun(path: string, args: JsonValue | undefined, simulation?: Simulation): Promise<DryRunReply>
  start(path: string, request: RunRequest): Promise<RunId>
}

export function createRunActions(client: HostClient, workspace: string, documents: Documents): RunActions {
  const sourceOf = (path: string): Source => {
    const document = documents.get(path)
    if (document === undefined || !document.dirty) return { kind: 'path', path }
    return { kind: 'text', text: documents.textOf(path), fileName: document.fileName, path }
  }
  return {
    sourceOf,
    dryRun: (path, args, simulation = {}) =>
      client.call('run.dryRun', {
        workspace,
        source: sourceOf(path),
        ...(args !== undefined && { args }),
        ...(Object.keys(simulation).length > 0 && { simulation }),
      }),
    async start(path, request) {
      const { runId } = await client.call('run.start', { workspace, source: sourceOf(path), ...request })
      return runId
    },
  }
}

/** What the host finds wrong with args, by the JSON pointer of the place; empty for whatever else is wrong. */
export function argsViolations(error: unknown): { pointer: string; problem: string }[] {
  if (!(error instanceof HostError) || error.code !== 'BAD_REQUEST') return []
  return error.violations.flatMap((violation) => {
    const [, pointer, problem] = /^(\/\S*|args) (.+)$/s.exec(violation) ?? []
    return pointer === undefined || problem === undefined ? [] : { pointer: pointer === 'args' ? '' : pointer, problem }
  })
}

/** Why a script was not run, with its first problem. */
export function describeRefusal(error: unknown): string {
  if (!(error instanceof HostError)) return error instanceof Error ? error.message : String(error)
  const first = error.diagnostics.find((diagnostic) => diagnostic.severity === 'error') ?? error.diagnostics[0]
  const details = first === undefined ? error.violations[0] : `${first.line}:${first.column} ${first.message}`
  return details === undefined || error.message.includes(details) ? error.message : `${error.message} (${details})`
}
