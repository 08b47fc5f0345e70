// A run of a workflow that was interrupted here may be one that nobody knew could be gone on with: it is said, once, on stderr.

import type { HostClient, RunId } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { formatTime } from '../render/format.ts'

/** Never rejects: a hint is not worth a failure. */
export async function hintResumable({ err }: CliContext, client: HostClient, started: RunId): Promise<void> {
  try {
    const { row } = await client.call('run.get', { runId: started })
    const { workspace, workflow } = row
    const { runs } = await client.call('run.resumable', { workspace, workflow })
    const [latest] = runs
    if (latest === undefined) return
    const { runId, startedAt, calls } = latest
    const finished = calls.completed + calls.replayed
    err.line(
      `note: a run of ${workflow} from ${formatTime(startedAt)} was interrupted with ${finished} finished; "weft resume ${runId}" goes on from it`,
    )
  } catch {
    // The run itself goes on.
  }
}
