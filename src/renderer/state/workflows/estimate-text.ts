// What a run would take, in a line: the answer of a dry run behind a dialog.

import { plural } from '../../../shared/index.ts'
import type { AppState } from '../app-state.ts'
import { formatCost, formatCount, formatDuration } from '../format.ts'

type Reply = Awaited<ReturnType<AppState['dryRuns']['estimate']>>

export type Estimate =
  | { kind: 'none' }
  | { kind: 'asking' }
  | { kind: 'known'; reply: Reply }
  | { kind: 'failed'; message: string }

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
