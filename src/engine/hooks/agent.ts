// `agent(prompt, options?)`: one sub-agent. Arguments are checked and copied here, inside the sandbox; the rest is the host's.

import type { Guest } from '../sandbox/guest.ts'
import { captureFrames } from '../sandbox/stacks.ts'
import { readAgentOptions, readPrompt, refuseMore } from './agent-options.ts'

export function makeAgent(guest: Guest): (prompt: unknown, options?: unknown, ...more: unknown[]) => Promise<unknown> {
  const agent = async (prompt: unknown, options?: unknown, ...more: unknown[]): Promise<unknown> => {
    const frames = captureFrames(agent)
    const answer = await guest.enter(frames, (scope) => {
      const text = readPrompt(prompt)
      const given = readAgentOptions(options)
      refuseMore('agent', 'a prompt and options', more)
      const [top] = frames
      return guest.link.request(scope, frames, (call) => ({
        type: 'agent',
        call,
        path: scope.next('agent'),
        diverged: scope.diverged,
        group: scope.group,
        phase: scope.phase,
        prompt: text,
        options: given,
        ...(top !== undefined && { site: { line: top.line, column: top.column } }),
      }))
    })
    return answer.value
  }
  return agent
}
