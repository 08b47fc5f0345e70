// One agent call by the command protocol `jsonl`: one process, from its start to the end of everything it started.

import type { AgentRequest, AgentRunResult } from '../../engine/index.ts'
import type { AgentProgress } from '../../shared/index.ts'
import type { Reaper } from '../process/reaper-client.ts'
import { startProcess, type StartedProcess } from '../process/start-process.ts'
import { Conversation } from './conversation.ts'
import { CANCEL_LINE, parseAgentMessage, toInvalidLine, toRunLine } from './messages.ts'
import { cancelledBefore, describeStart, ProcessCall, type CommandTiming } from './process-call.ts'

export interface CommandCallOptions {
  command: readonly string[]
  /** Whole environment of the process; WEFT_RUN_ID, WEFT_CALL and WEFT_ATTEMPT come on top. */
  env: Readonly<Record<string, string | undefined>>
  maxLineBytes: number
  timing: CommandTiming
  reaper?: Reaper
}

/** Never rejects for what the process does; settles with nothing of it left. */
export async function runCommandCall(
  options: CommandCallOptions,
  request: AgentRequest,
  signal: AbortSignal,
  onProgress: (progress: AgentProgress) => void,
): Promise<AgentRunResult> {
  if (signal.aborted) return cancelledBefore()
  let started: StartedProcess
  try {
    started = await startProcess({
      command: options.command,
      cwd: request.cwd,
      env: options.env,
      cookie: { runId: request.runId, call: request.path, attempt: request.attempt },
      ...(options.reaper && { reaper: options.reaper }),
    })
  } catch (error) {
    return describeStart(error)
  }
  const { child } = started
  const conversation = new Conversation({
    request,
    onProgress,
    maxLineBytes: options.maxLineBytes,
    parse: (line) => {
      const message = parseAgentMessage(line)
      return message && [message]
    },
    sendBack: (errors) => {
      if (child.stdin.writable) child.stdin.write(toInvalidLine(errors))
    },
  })
  try {
    const talk = { input: toRunLine(request), closeInput: false, cancelLine: CANCEL_LINE }
    const result = await new ProcessCall(started, conversation, options.timing, talk).run(signal)
    return result === 'again' ? conversation.endedWithout('closed its output') : result
  } finally {
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    started.release()
  }
}
