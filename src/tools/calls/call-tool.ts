// From a tool's name to its answer: every tool, what goes wrong in it, and the notes that a session is owed.

import { HostError } from '../../shared/index.ts'
import { succeed, type ToolResult } from '../results/tool-result.ts'
import type { CallContext, ToolHandler } from './call-context.ts'
import { actOnAgent, cancelRun, continueRun, pauseRun } from './control.ts'
import { toErrorResult } from './errors.ts'
import { readResult, showStatus, waitForRun } from './follow.ts'
import { runWorkflow } from './run-workflow.ts'
import { dryRunWorkflow, listWorkflows, validateScript } from './scripts.ts'

const HANDLERS: Readonly<Record<string, ToolHandler>> = {
  workflow_status: showStatus,
  workflow_wait: waitForRun,
  workflow_result: readResult,
  workflow_cancel: cancelRun,
  workflow_agent: actOnAgent,
  workflow_pause: pauseRun,
  workflow_continue: continueRun,
  workflow_list: listWorkflows,
  workflow_validate: validateScript,
  workflow_dry_run: dryRunWorkflow,
}

/** Undefined for an unknown tool. */
export function findTool(name: string, toolName: string): ToolHandler | undefined {
  if (name === toolName) return runWorkflow
  return Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined
}

/** Never rejects for what a caller can do something about. */
export async function callTool(handler: ToolHandler, input: unknown, context: CallContext): Promise<ToolResult> {
  const { session } = context
  try {
    return withNotes(await handler(input, context), session.takeNotes())
  } catch (error) {
    // Nobody is there to read it.
    if (session.closed && error instanceof HostError) return succeed([])
    return withNotes(toErrorResult(error), session.takeNotes())
  }
}

function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  if (notes.length === 0) return result
  const { content, structuredContent } = result
  const blocks = notes.map((text) => ({ type: 'text' as const, text }))
  return {
    ...result,
    content: [...content, ...blocks],
    ...(structuredContent !== undefined && { structuredContent: { ...structuredContent, notes } }),
  }
}
