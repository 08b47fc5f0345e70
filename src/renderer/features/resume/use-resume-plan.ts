// What a resume would do with the fields as they are: asked for anew when they change, a moment after the last key.

import { useEffect, useState } from 'react'
import type { ResumePlan, RunId } from '../../../shared/index.ts'
import type { AppState } from '../../state/app-state.ts'
import type { EarlierRun, ResumeRequest } from '../../state/runs/resuming.ts'
import { describeRefusal } from '../../state/runs/run-actions.ts'

export interface Planned {
  /** The last plan there was, while the next one is made. */
  plan: ResumePlan | null
  failure: string | null
  planning: boolean
}

const PAUSE_MS = 250

/** Nothing is asked for while `request` is null. */
export function useResumePlan(
  app: AppState,
  runId: RunId,
  earlier: EarlierRun,
  request: ResumeRequest | null,
): Planned {
  const [answer, setAnswer] = useState<{ key: string; plan: ResumePlan | null; failure: string | null }>()
  const key = request === null ? null : JSON.stringify(request)
  const { scriptPath } = earlier
  useEffect(() => {
    if (key === null) return
    let current = true
    const settle = (plan: ResumePlan | null, failure: string | null): void => {
      if (current) setAnswer({ key, plan, failure })
    }
    const timer = setTimeout(() => {
      // The key was made from a request.
      app.resuming.plan(runId, scriptPath, JSON.parse(key) as ResumeRequest).then(
        (plan) => settle(plan, null),
        (error: unknown) => settle(null, describeRefusal(error)),
      )
    }, PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [app, runId, scriptPath, key])
  const planning = key !== null && answer?.key !== key
  return { plan: answer?.plan ?? null, failure: planning ? null : (answer?.failure ?? null), planning }
}
