// Short events for tests that need a log but no engine.

import {
  asAgentNumber,
  asCallKey,
  asCallPath,
  asRunId,
  asScriptHash,
  type RunEvent,
  type RunEventPayloads,
  type RunEventType,
} from '../../../src/shared/index.ts'

export const RUN = asRunId('01J0000000000000000000TEST')

/** Builds a numbered log: `add(at, type, payload)`. */
export class EventLog {
  readonly events: RunEvent[] = []

  add<Type extends RunEventType>(at: number, type: Type, payload: RunEventPayloads[Type]): this {
    // The payload belongs to the type by the signature; the union can't be built from a type parameter.
    this.events.push({ seq: this.events.length + 1, at, type, ...payload } as RunEvent)
    return this
  }

  start(at = 0): this {
    return this.add(at, 'run-started', {
      runId: RUN,
      meta: { name: 'test', description: 'a test' },
      scriptHash: asScriptHash('0'.repeat(64)),
      scriptPath: null,
      fileName: 'test.js',
      workspace: '/workspace',
      backend: 'simulated',
      simulated: true,
      dry: true,
      budgetTokens: null,
      maxConcurrentAgents: 4,
      maxAgents: 1000,
      startedBy: { kind: 'test' },
      lineage: RUN,
      resumedFrom: null,
    })
  }

  queue(at: number, agent: number, call: { path?: string; phase?: string; line?: number; group?: number } = {}): this {
    return this.add(at, 'agent-queued', {
      agent: asAgentNumber(agent),
      path: asCallPath(call.path ?? `/agent:${agent - 1}`),
      key: asCallKey(String(agent).padStart(64, '0')),
      label: `agent ${agent}`,
      phase: call.phase ?? null,
      group: call.group ?? 0,
      backend: 'simulated',
      promptPreview: 'do it',
      promptLength: 5,
      ...(call.line !== undefined && { site: { line: call.line, column: 7 } }),
    })
  }

  begin(at: number, agent: number, attempt = 1): this {
    return this.add(at, 'agent-started', { agent: asAgentNumber(agent), attempt })
  }

  finish(at: number, agent: number, outputTokens = 10): this {
    return this.add(at, 'agent-ended', {
      agent: asAgentNumber(agent),
      outcome: 'completed',
      usage: { outputTokens, inputTokens: 5 },
      durationMs: 0,
      attempts: 1,
    })
  }

  end(at: number): this {
    return this.add(at, 'run-ended', { outcome: 'completed', degraded: false, durationMs: at })
  }
}
