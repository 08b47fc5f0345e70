// Resuming a run: what the dialog asks for, what the host plans from it, and the start.

import type { HostCalls, HostClient, JsonValue, ResumePlan, RunId } from '../../../shared/index.ts'
import type { RunRequest } from './run-actions.ts'

export interface ResumeRequest extends RunRequest {
  /** The script as the earlier run had it, or its file as it is now. */
  script: 'same' | 'file'
  /** What the earlier run had and this one shall not have. */
  without?: ('args' | 'budget')[]
}

type Source = NonNullable<HostCalls['run.start']['params']['source']>

/** What the earlier run was given. */
export interface EarlierRun {
  workflow: string
  scriptPath: string | null
  fileName: string
  args: JsonValue | undefined
  backend: string
  budgetTokens: number | null
  title: string | null
}

export function createResuming(client: HostClient, sourceOf: (path: string) => Source) {
  const paramsOf = (runId: RunId, scriptPath: string | null, { script, ...request }: ResumeRequest) => ({
    resumeFromRunId: runId,
    ...request,
    ...(script === 'file' && scriptPath !== null && { source: sourceOf(scriptPath) }),
  })
  return {
    /** Rejects with HostError. */
    async read(runId: RunId): Promise<EarlierRun> {
      const [{ events }, { row }] = await Promise.all([
        client.call('run.events', { runId, fromSeq: 1, limit: 1 }),
        client.call('run.get', { runId }),
      ])
      const started = events[0]
      if (started?.type !== 'run-started') throw new Error('the run has no beginning')
      const { workflow, title } = row
      const { scriptPath, fileName, args, backend, budgetTokens } = started
      return { workflow, title, scriptPath, fileName, args, backend, budgetTokens }
    },
    /** Rejects with HostError. */
    plan: (runId: RunId, scriptPath: string | null, request: ResumeRequest): Promise<ResumePlan> =>
      client.call('run.resumePlan', paramsOf(runId, scriptPath, request)),
    /** Resolves to the new run. Rejects with HostError. */
    async start(runId: RunId, scriptPath: string | null, request: ResumeRequest): Promise<RunId> {
      return (await client.call('run.start', paramsOf(runId, scriptPath, request))).runId
    },
  }
}
