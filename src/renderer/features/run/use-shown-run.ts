// The run as the tree shows it: as it is, or as it was at the moment that the slider is at.

import { useStore } from 'zustand'
import type { RunState, RunStatus } from '../../../shared/index.ts'
import type { RunSession } from '../../state/runs/run-session.ts'
import { viewStatus } from '../../state/runs/run-view.ts'

interface ShownRun {
  state: RunState
  status: RunStatus
  /** The moment, in milliseconds since the epoch; undefined for the run as it is. */
  at: number | undefined
}

export function useShownRun(session: RunSession): ShownRun {
  const state = useStore(session.view, (view) => view.state)
  const status = useStore(session.view, viewStatus)
  const moment = useStore(session.history.store)
  if (moment.at === null || moment.state === null) return { state, status, at: undefined }
  return { state: moment.state, status: moment.state.status, at: moment.at }
}
