// A dry run behind the dialog: what the run would take with these args. Costs nothing, touches nothing.

import { useEffect, useState } from 'react'
import type { JsonValue } from '../../../shared/index.ts'
import type { AppState } from '../../state/app-state.ts'
import { describeRefusal } from '../../state/runs/run-actions.ts'
import type { Estimate } from '../../state/workflows/estimate-text.ts'

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
