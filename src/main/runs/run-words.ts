// Runs in the few words that a notification, a tooltip or a tray item has room for.

import { describeOutcome, plural, toPreview, type PendingApproval, type RunRow } from '../../shared/index.ts'
import type { LiveRun, Question } from './run-board.ts'

const NAME_LENGTH = 60

export const nameOf = (row: RunRow): string => toPreview(row.title ?? row.workflow, NAME_LENGTH)

/** The verdict as every face words it, with the census of a run that did not end well and how long it took. */
export function describeEnd(row: RunRow): string {
  const verdict = describeOutcome({
    status: row.status,
    degraded: row.degraded,
    calls: row.calls,
    agents: { length: row.agents },
    error: row.error === null ? undefined : { message: row.error },
  })
  const census = row.status === 'completed' ? undefined : describeCensus(row)
  const took = row.endedAt === null ? undefined : describeSeconds((row.endedAt - row.startedAt) / 1000)
  const words = [capitalise(verdict), census, took, row.simulated ? 'simulated' : undefined]
  return words.filter((part) => part !== undefined).join(' · ')
}

export function describeQuestion(row: RunRow, question: Question): string {
  return `Agent ${question.agent} of ${nameOf(row)} asks: ${toPreview(question.title, 120)}`
}

export function describeWish({ clientName, workflow }: PendingApproval): string {
  return `${toPreview(clientName ?? 'A harness', NAME_LENGTH)} wants to run ${toPreview(workflow, NAME_LENGTH)}`
}

export function describeLive({ row, questions }: LiveRun): string {
  if (questions.length > 0) return `${nameOf(row)}: waits for your answer`
  return `${nameOf(row)}: ${row.status}, ${plural(row.agents, 'agent')}`
}

/** For the tray's tooltip. */
export function describeAll(live: readonly LiveRun[]): string {
  const waiting = live.filter(({ questions }) => questions.length > 0).length
  if (live.length === 0) return 'Weft'
  return `Weft: ${plural(live.length, 'live run')}${waiting > 0 ? `, ${waiting} waiting for you` : ''}`
}

function describeCensus({ calls, agents }: RunRow): string | undefined {
  const parts = (['completed', 'failed', 'cancelled'] as const)
    .filter((outcome) => calls[outcome] > 0)
    .map((outcome) => `${calls[outcome]} ${outcome}`)
  return parts.length === 0 ? undefined : `${parts.join(', ')} of ${plural(agents, 'agent')}`
}

function describeSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
