// One run as the window follows it: its stored events first, then those that come, folded once a frame.
// Gaps are asked for, repeats are dropped: the sequence numbers alone decide.

import { createStore, type StoreApi } from 'zustand/vanilla'
import {
  foldRunAll,
  type AgentCallRecord,
  type AgentNumber,
  type HostCallResults,
  type HostClient,
  type PermissionAnswer,
  type RunEvent,
  type RunId,
} from '../../../shared/index.ts'
import { createBatch, type Schedule } from '../frame-batch.ts'
import { messageOf } from '../message-of.ts'
import { createTreeStore, type TreeStore } from '../tree/tree-store.ts'
import { EMPTY_VIEW, isLiveStatus, type RunView } from './run-view.ts'
import { EMPTY_TRANSCRIPT, foldTranscript, type Transcript } from './transcript.ts'

export interface RunSession {
  readonly view: StoreApi<RunView>
  readonly tree: TreeStore
  /** The call whole, from the journal; undefined for a dry run, of which nothing is kept. */
  readCall?(agent: AgentNumber): Promise<AgentCallRecord>
  /** Rejects with HostError when the question was answered already. Absent for a dry run. */
  answerPermission?(agent: AgentNumber, request: string, answer: PermissionAnswer): Promise<void>
  dispose(): void
}

const PAGE = 5000

/** Follows a stored run until it is disposed of. Failures end up in the view's `load`. */
export function followRun(client: HostClient, runId: RunId, schedule?: Schedule): RunSession {
  const view = createStore<RunView>(() => EMPTY_VIEW)
  let disposed = false
  let catchingUp = false
  // What arrives while stored events are being read may be newer than they are.
  let held: RunEvent[] = []
  const fail = (error: unknown): void => {
    if (!disposed) view.setState({ load: { kind: 'failed', message: messageOf(error) } })
  }

  const catchUp = async (): Promise<void> => {
    catchingUp = true
    try {
      for (;;) {
        const { events, lastSeq } = await client.call('run.events', {
          runId,
          fromSeq: view.getState().state.seq + 1,
          limit: PAGE,
        })
        if (disposed) return
        foldInto(view, events)
        if (events.length === 0 || view.getState().state.seq >= lastSeq) return
      }
    } finally {
      catchingUp = false
      const waited = held
      held = []
      batch.add(waited)
    }
  }

  const loadResult = async (): Promise<void> => {
    if (view.getState().result !== null) return
    const { json, settled } = await client.call('run.result', { runId })
    if (settled && !disposed) view.setState({ result: { json } })
  }

  const batch = createBatch<RunEvent>((events) => {
    if (disposed) return
    if (catchingUp) {
      held.push(...events)
      return
    }
    const { seq } = view.getState().state
    const fresh = events.filter((event) => event.seq > seq)
    if (fresh.length === 0) return
    if (fresh[0]?.seq !== seq + 1) {
      catchUp().catch(fail)
      return
    }
    try {
      foldInto(view, fresh)
    } catch (error) {
      fail(error)
      return
    }
    if (view.getState().state.endedAt !== undefined) loadResult().catch(fail)
  }, schedule)

  const ends = [
    client.on('run.events', (push) => {
      if (push.runId === runId) batch.add(push.events)
    }),
    client.on('run.row', ({ row }) => {
      if (row.runId === runId) view.setState({ row })
    }),
  ]

  const start = async (): Promise<void> => {
    const { row } = await client.call('run.get', { runId })
    if (disposed) return
    view.setState({ row })
    await catchUp()
    if (disposed) return
    view.setState({ load: { kind: 'ready' } })
    if (isLiveStatus(row.status) && view.getState().state.endedAt === undefined) {
      await client.call('run.watch', { runId, fromSeq: view.getState().state.seq + 1 })
    } else {
      await loadResult()
    }
  }
  start().catch(fail)

  return {
    view,
    tree: createTreeStore(),
    readCall: (agent) => client.call('run.call', { runId, agent }),
    async answerPermission(agent, request, answer) {
      await client.call('run.answerPermission', { runId, agent, request, answer })
    },
    dispose() {
      disposed = true
      for (const end of ends) end()
      // Nothing depends on the answer; a lost connection has stopped watching too.
      client.call('run.unwatch', { runId }).catch(() => {})
    },
  }
}

/** A dry run: over when it arrives, kept in memory only. */
export function showDryRun({ events, envelope, plan }: HostCallResults['run.dryRun']): RunSession {
  const view = createStore<RunView>(() => ({ ...EMPTY_VIEW, load: { kind: 'ready' }, plan }))
  foldInto(view, events)
  view.setState({ result: { json: envelope.outcome === 'completed' ? JSON.stringify(envelope.result) : null } })
  return { view, tree: createTreeStore(), dispose: () => {} }
}

function foldInto(view: StoreApi<RunView>, events: readonly RunEvent[]): void {
  if (events.length === 0) return
  const before = view.getState()
  let transcripts: Map<AgentNumber, Transcript> | undefined
  for (const event of events) {
    if (event.type !== 'agent-progress' && event.type !== 'agent-attempt-failed') continue
    const known = (transcripts ?? before.transcripts).get(event.agent) ?? EMPTY_TRANSCRIPT
    const next = foldTranscript(known, event)
    if (next === known) continue
    transcripts ??= new Map(before.transcripts)
    transcripts.set(event.agent, next)
  }
  view.setState({ state: foldRunAll(before.state, events), ...(transcripts && { transcripts }) })
}
