// Builds legal event streams for tests, so that each test only says what it is about.

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

export const RUN_ID = asRunId('01JTESTRUN0000000000000000')

export function runStarted(overrides: Partial<RunEventPayloads['run-started']> = {}): RunEventPayloads['run-started'] {
  return {
    runId: RUN_ID,
    meta: { name: 'sample', description: 'A sample.' },
    scriptHash: asScriptHash('0'.repeat(64)),
    scriptPath: null,
    fileName: 'sample.js',
    workspace: '/workspace',
    backend: 'simulated',
    simulated: true,
    dry: false,
    budgetTokens: null,
    maxConcurrentAgents: 4,
    maxAgents: 1000,
    startedBy: { kind: 'test' },
    lineage: RUN_ID,
    resumedFrom: null,
    ...overrides,
  }
}

export function agentQueued(
  agent: number,
  overrides: Partial<RunEventPayloads['agent-queued']> = {},
): RunEventPayloads['agent-queued'] {
  return {
    agent: asAgentNumber(agent),
    path: asCallPath(`/agent:${agent - 1}`),
    key: asCallKey('k'.repeat(64)),
    label: `agent ${agent}`,
    phase: null,
    group: 0,
    backend: 'simulated',
    promptPreview: 'Do it',
    promptLength: 5,
    ...overrides,
  }
}

/** Numbers events as they are added, one millisecond apart. */
export class EventLog {
  readonly events: RunEvent[] = []

  add<Type extends RunEventType>(type: Type, payload: RunEventPayloads[Type], at?: number): this {
    const seq = this.events.length + 1
    // The payload belongs to `type` by the signature; TypeScript can't carry that through the union.
    this.events.push({ seq, at: at ?? seq, type, ...payload } as unknown as RunEvent)
    return this
  }
}
