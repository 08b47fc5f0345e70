// Short logs of runs with agents, for tests that need no engine.

import {
  asAgentNumber,
  asCallPath,
  type RunEvent,
  type RunEventPayloads,
  type RunEventType,
} from '../../../src/shared/index.ts'
import { agentQueued, EventLog as Events, runStarted } from '../shared/events.ts'

/** Builds a numbered log; the first argument of each step is its time in milliseconds. */
export class EventLog {
  readonly #log = new Events()

  get events(): RunEvent[] {
    return this.#log.events
  }

  add<Type extends RunEventType>(at: number, type: Type, payload: RunEventPayloads[Type]): this {
    this.#log.add(type, payload, at)
    return this
  }

  start(at = 0): this {
    return this.add(at, 'run-started', runStarted({ dry: true }))
  }

  queue(at: number, agent: number, call: { path?: string; phase?: string; line?: number; group?: number } = {}): this {
    const { path, phase, line, group } = call
    const queued = agentQueued(agent, {
      ...(path !== undefined && { path: asCallPath(path) }),
      ...(phase !== undefined && { phase }),
      ...(group !== undefined && { group }),
      ...(line !== undefined && { site: { line, column: 7 } }),
    })
    return this.add(at, 'agent-queued', queued)
  }

  begin(at: number, agent: number): this {
    return this.add(at, 'agent-started', { agent: asAgentNumber(agent), attempt: 1 })
  }

  finish(at: number, agent: number): this {
    return this.add(at, 'agent-ended', {
      agent: asAgentNumber(agent),
      outcome: 'completed',
      usage: { outputTokens: 10, inputTokens: 5 },
      durationMs: 0,
      attempts: 1,
    })
  }

  end(at: number): this {
    return this.add(at, 'run-ended', { outcome: 'completed', degraded: false, durationMs: at })
  }
}
