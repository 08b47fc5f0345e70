// A host for tests of the window's state: answers each call by a function, and pushes what a test tells it to.

import {
  HostError,
  type BridgeReply,
  type HostCallName,
  type HostCalls,
  type HostEventName,
  type HostEvents,
  type HostPush,
  type RunRow,
} from '../../../src/shared/index.ts'
import type { HostConnection } from '../../../src/renderer/state/client/connection.ts'
import { createPushListeners } from '../../../src/renderer/state/client/push-listeners.ts'
import { RUN_ID } from '../shared/events.ts'

type Handlers = {
  [Name in HostCallName]?: (
    params: HostCalls[Name]['params'],
  ) => HostCalls[Name]['result'] | Promise<HostCalls[Name]['result']>
}

export class FakeHost implements HostConnection {
  readonly status = 'connected'
  readonly handlers: Handlers
  /** Every call made, in order. */
  readonly calls: { name: HostCallName; params: unknown }[] = []
  readonly #wires = new Set<(push: HostPush) => void>()
  readonly #pushes = createPushListeners((error) => {
    throw error
  })

  constructor(handlers: Handlers = {}) {
    this.handlers = handlers
  }

  on: HostConnection['on'] = (name, listener) => this.#pushes.on(name, listener)
  onStatus = (): (() => void) => () => {}
  close = (): void => {}

  async call<Name extends HostCallName>(
    name: Name,
    params: HostCalls[Name]['params'],
  ): Promise<HostCalls[Name]['result']> {
    this.calls.push({ name, params })
    const handler = this.handlers[name]
    if (handler === undefined) throw new HostError({ code: 'NOT_FOUND', message: `the fake host has no ${name}` })
    return handler(params)
  }

  /** The same for a wire: errors come back as values. */
  answer = async (name: HostCallName, params: never): Promise<BridgeReply> => {
    try {
      return { ok: true, value: await this.call(name, params) }
    } catch (error) {
      return {
        ok: false,
        error: error instanceof HostError ? error.toBody() : { code: 'INTERNAL', message: String(error) },
      }
    }
  }

  /** Tells every push, whatever its event. */
  onPush(listener: (push: HostPush) => void): () => void {
    this.#wires.add(listener)
    return () => void this.#wires.delete(listener)
  }

  push<Name extends HostEventName>(event: Name, payload: HostEvents[Name]): void {
    this.#pushes.emit({ event, payload })
    for (const wire of this.#wires) wire({ event, payload })
  }

  callsOf(name: HostCallName): unknown[] {
    return this.calls.filter((call) => call.name === name).map((call) => call.params)
  }
}

export function runRow(overrides: Partial<RunRow> = {}): RunRow {
  return {
    runId: RUN_ID,
    workflow: 'sample',
    title: null,
    status: 'running',
    degraded: false,
    simulated: false,
    workspace: '/workspace',
    scriptPath: '/workspace/workflows/sample.js',
    backend: 'simulated',
    startedBy: { kind: 'test' },
    resumedFrom: null,
    startedAt: 1,
    endedAt: null,
    agents: 0,
    calls: { completed: 0, failed: 0, skipped: 0, cancelled: 0, replayed: 0, refused: 0 },
    outputTokens: 0,
    costUsd: null,
    error: null,
    ...overrides,
  }
}
