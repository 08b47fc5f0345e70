// One run as the window follows it: its stored events first, then those that come, folded once a frame.
// Gaps are asked for, repeats are dropped: the sequence numbers alone decide.

import { createStore, type StoreApi } from 'zustand/vanilla'
import {
  foldRunAll,
  type AgentCallRecord,
  type AgentNumber,
  type CallKey,
  type HostCallResults,
  type HostClient,
  type PermissionAnswer,
  type RunEvent,
  type RunId,
} from '../../../shared/index.ts'
import { createBatch, type Schedule } from '../frame-batch.ts'
import { createHistory, type RunHistory } from '../history/history.ts'
import { messageOf } from '../message-of.ts'
import { createTreeStore, type TreeStore } from '../tree/tree-store.ts'
import { foldGaps, type AttemptGap } from './attempt-gaps.ts'
import { EMPTY_VIEW, isLiveStatus, type RunView } from './run-view.ts'
import { EMPTY_TRANSCRIPT, foldTranscript, type Transcript } from './transcript.ts'

/** Where in a run to go: to an agent, by its number or its call's key, or to a log line. */
export type RunPlace = { agent: AgentNumber } | { key: CallKey } | { seq: number }

export interface RunSession {
  /** Absent for a dry run, of which nothing is kept. */
  readonly runId?: RunId
  readonly view: StoreApi<RunView>
  readonly tree: TreeStore
  /** The run at any moment of it. */
  readonly history: RunHistory
  /** The log line to scroll to; `serial` makes the same line again a new wish. */
  readonly logPlace: StoreApi<{ seq: number; serial: number }>
  goTo(place: RunPlace): void
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

  const readAll = async (): Promise<RunEvent[]> => {
    const all: RunEvent[] = []
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before it ended
      const { events, lastSeq } = await client.call('run.events', { runId, fromSeq: all.length + 1, limit: PAGE })
      for (const event of events) all.push(event)
      if (events.length === 0 || all.length >= lastSeq) return all
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
    runId,
    ...sessionParts(view, readAll),
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
  return { ...sessionParts(view, () => Promise.resolve(events)), dispose: () => {} }
}

/** Once the run has been read that far. */
function showCall(view: StoreApi<RunView>, tree: TreeStore, key: CallKey): void {
  const find = ({ state, load }: RunView): boolean => {
    const found = state.agents.find((agent) => agent.key === key)
    if (found !== undefined) tree.show(found.agent)
    return found !== undefined || load.kind !== 'loading'
  }
  if (find(view.getState())) return
  const end = view.subscribe((state) => {
    if (find(state)) end()
  })
}

function sessionParts(view: StoreApi<RunView>, readEvents: () => Promise<readonly RunEvent[]>) {
  const tree = createTreeStore()
  const logPlace = createStore(() => ({ seq: 0, serial: 0 }))
  return {
    view,
    tree,
    logPlace,
    history: createHistory(readEvents),
    goTo(place: RunPlace): void {
      if ('agent' in place) tree.show(place.agent)
      else if ('key' in place) showCall(view, tree, place.key)
      else logPlace.setState(({ serial }) => ({ seq: place.seq, serial: serial + 1 }))
    },
  }
}

function foldInto(view: StoreApi<RunView>, events: readonly RunEvent[]): void {
  if (events.length === 0) return
  const before = view.getState()
  const transcripts = new LazyMap<AgentNumber, Transcript>(before.transcripts)
  const gaps = new LazyMap<AgentNumber, readonly AttemptGap[]>(before.gaps)
  let { shapeSeq } = before
  for (const event of events) {
    if (event.type !== 'agent-progress' && event.type !== 'log') shapeSeq = event.seq
    switch (event.type) {
      case 'agent-progress':
        transcripts.change(event.agent, EMPTY_TRANSCRIPT, (known) => foldTranscript(known, event))
        break
      case 'agent-attempt-failed':
        transcripts.change(event.agent, EMPTY_TRANSCRIPT, (known) => foldTranscript(known, event))
        gaps.change(event.agent, [], (known) => foldGaps(known, event))
        break
      case 'agent-started':
        if (event.attempt > 1) gaps.change(event.agent, [], (known) => foldGaps(known, event))
        break
    }
  }
  view.setState({
    state: foldRunAll(before.state, events),
    transcripts: transcripts.map,
    gaps: gaps.map,
    shapeSeq,
  })
}

/** A map that is copied on its first change. */
class LazyMap<Key, Value> {
  map: ReadonlyMap<Key, Value>
  #copy: Map<Key, Value> | undefined

  constructor(map: ReadonlyMap<Key, Value>) {
    this.map = map
  }

  change(key: Key, initial: Value, change: (value: Value) => Value): void {
    const known = this.map.get(key) ?? initial
    const next = change(known)
    if (next === known) return
    this.#copy ??= new Map(this.map)
    this.map = this.#copy.set(key, next)
  }
}
