// A dry run behind the dialog: what the run would take with these args. Costs nothing, touches nothing.

import { useEffect, useState } from 'react'
import { plural, type JsonValue } from '../../../shared/index.ts'
import type { AppState } from '../../state/app-state.ts'
import { formatCost, formatCount, formatDuration } from '../../state/format.ts'
import { describeRefusal } from '../../state/runs/run-actions.ts'

type Reply = Awaited<ReturnType<AppState['dryRuns']['estimate']>>

export type Estimate =
  | { kind: 'none' }
  | { kind: 'asking' }
  | { kind: 'known'; reply: Reply }
  | { kind: 'failed'; message: string }

const PAUSE_MS = 350

/** `args` is null while they are no JSON: nothing is asked then. */
export function useEstimate(app: AppState, path: string, args: JsonValue | undefined): Estimate {
  const [answer, setAnswer] = useState<{ key: string; estimate: Estimate } | null>(null)
  // Equal args are one question, however often the dialog is drawn.
  const key = args === undefined ? 'undefined' : JSON.stringify(args)
  const asks = args !== null
  useEffect(() => {
    if (!asks) return
    let current = true
    const settle = (estimate: Estimate): void => {
      if (current) setAnswer({ key, estimate })
    }
    const timer = setTimeout(() => {
      // The key was made from a JSON value.
      const asked = key === 'undefined' ? undefined : (JSON.parse(key) as JsonValue)
      app.dryRuns.estimate(path, asked).then(
        (reply) => settle({ kind: 'known', reply }),
        (error: unknown) => settle({ kind: 'failed', message: describeRefusal(error) }),
      )
    }, PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [app, path, key, asks])
  if (!asks) return { kind: 'none' }
  return answer?.key === key ? answer.estimate : { kind: 'asking' }
}

export function estimateText(estimate: Estimate): string {
  switch (estimate.kind) {
    case 'none':
      return ''
    case 'asking':
      return 'Estimating…'
    case 'failed':
      return `No estimate: ${estimate.message}`
    case 'known': {
      const { plan, envelope } = estimate.reply
      if (envelope.outcome !== 'completed') {
        return `The dry run ended with: ${envelope.error?.message ?? envelope.outcome}`
      }
      const { wallClockMs, outputTokens, costUsd } = plan.estimate
      const parts = [
        plural(envelope.agentsStarted, 'agent'),
        `≈ ${formatDuration(wallClockMs)}`,
        `≈ ${formatCount(outputTokens)} tokens`,
      ]
      if (costUsd !== null) parts.push(`≈ ${formatCost(costUsd)}`)
      return parts.join(' · ')
    }
  }
}
