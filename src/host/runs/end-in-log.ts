// A run whose events could not be stored (a full disk) is over all the same: as soon as writes work again its log gets its
// end, so that it can be told, resumed and deleted like any other.

import type { RunId } from '../../shared/index.ts'
import { StoreError } from '../../store/index.ts'
import type { HostContext } from '../context.ts'

const RETRY_MS = 1000

/** To be called when the run has settled. Gives up when the host ends: the next one ends what is left. Never rejects. */
export async function endInLog(runId: RunId, { store, checkRunning, logger }: HostContext): Promise<void> {
  for (let told = false; ; told = true) {
    try {
      checkRunning()
      // Each attempt waits for what the one before it met.
      // oxlint-disable-next-line no-await-in-loop
      return await store.endRefused(runId, Date.now())
    } catch (error) {
      // Without its writer this host stores nothing any more.
      if (isEnding(checkRunning) || (error instanceof StoreError && error.code === 'WRITER_LOST')) return
      if (!told) logger.warn(`The end of run ${runId} can't be stored yet; it is tried again every second`, { error })
    }
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
  }
}

function isEnding(checkRunning: () => void): boolean {
  try {
    checkRunning()
    return false
  } catch {
    return true
  }
}
