// One attempt of one agent call: runs the back end's runner, and gives up on one that does not stop when told to.

import { cutText, toPreview, toWellFormed, type AgentProgress, type Usage } from '../../shared/index.ts'
import type { AgentBackend, AgentRequest, AgentRunResult, HostHandle } from '../ports.ts'

/** UTF-16 units of one progress message. */
const MAX_PROGRESS = 65_536

export interface AttemptHooks {
  onProgress(progress: AgentProgress): void
  /** The runner was told to stop and has not settled within the grace: it is left to itself. */
  onAbandoned(): void
}

export interface AttemptEnd {
  result: AgentRunResult
  /** Reported by the result or, failing that, last by its progress. */
  usage: Usage | undefined
}

/** Never rejects. Settles at most `graceMs` after the signal aborts. */
export async function runAttempt(
  backend: AgentBackend,
  request: AgentRequest,
  host: HostHandle,
  signal: AbortSignal,
  graceMs: number,
  hooks: AttemptHooks,
): Promise<AttemptEnd> {
  let reported: Usage | undefined
  let over = false
  const onProgress = (progress: AgentProgress): void => {
    if (over || signal.aborted) return
    if (progress.kind === 'usage') reported = progress.usage
    hooks.onProgress(boundProgress(progress))
  }
  const abandoned = waitForGrace(signal, graceMs)
  try {
    const result = await Promise.race([startRunner(backend, request, host, signal, onProgress), abandoned.promise])
    over = true
    if (result !== undefined) return { result: boundError(result), usage: usageOf(result) ?? reported }
    hooks.onAbandoned()
    return { result: dead(`back end ${backend.id} did not stop its agent in time`), usage: reported }
  } finally {
    abandoned.cancel()
  }
}

async function startRunner(
  backend: AgentBackend,
  request: AgentRequest,
  host: HostHandle,
  signal: AbortSignal,
  onProgress: (progress: AgentProgress) => void,
): Promise<AgentRunResult> {
  try {
    return await backend.runner.run(request, host, signal, onProgress)
  } catch (error) {
    return dead(`back end ${backend.id} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function boundError(result: AgentRunResult): AgentRunResult {
  return result.kind === 'dead' ? { ...result, error: bound(result.error) } : result
}

/** An event is shown and stored: what a back end passes on is cut at a character, and well-formed. */
function boundProgress(progress: AgentProgress): AgentProgress {
  switch (progress.kind) {
    case 'text':
    case 'raw':
      return { ...progress, text: bound(progress.text) }
    case 'tool':
      return {
        ...progress,
        tool: toPreview(progress.tool),
        ...(progress.title !== undefined && { title: toPreview(progress.title) }),
        ...(progress.output !== undefined && { output: bound(progress.output) }),
      }
    case 'rejected':
      return { ...progress, errors: progress.errors.map(bound), answer: bound(progress.answer) }
    case 'usage':
      return progress
  }
}

function bound(text: string): string {
  return toWellFormed(cutText(text, MAX_PROGRESS))
}

function dead(error: string): AgentRunResult {
  return { kind: 'dead', error, failure: 'other' }
}

function usageOf(result: AgentRunResult): Usage | undefined {
  return result.kind === 'skipped' ? undefined : result.usage
}

/** Resolves to undefined `graceMs` of real time after the signal aborts. */
function waitForGrace(signal: AbortSignal, graceMs: number): { promise: Promise<undefined>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => undefined
  const promise = new Promise<undefined>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(undefined), graceMs)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  const cancel = (): void => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
  return { promise, cancel }
}
