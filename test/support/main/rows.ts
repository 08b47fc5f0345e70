// Rows of runs for tests of what the app tells about them.

import { asRunId, type RunRow } from '../../../src/shared/index.ts'
import { runRow } from '../renderer/fake-host.ts'

/** A live run of two-steps with three agents in /work/a, unless told otherwise. */
export function makeRow({ id = 'r1', ...rest }: Partial<RunRow> & { id?: string } = {}): RunRow {
  return runRow({
    runId: asRunId(id),
    workflow: 'two-steps',
    workspace: '/work/a',
    startedAt: 1_000,
    agents: 3,
    ...rest,
  })
}

export const CALLS = runRow().calls
