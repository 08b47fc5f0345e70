// The one channel by which pages call the host. Whatever arrives and whatever goes wrong, the page gets an answer.

import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import type { Logger } from './logger.ts'
import type { BridgeReply } from '../shared/index.ts'
import { readCall } from './call-gate.ts'
import type { WindowSession } from './host-link.ts'

/** `sessionOf` answers undefined for contents that are none of our windows. */
export function answerCalls(
  sessionOf: (contents: WebContents) => Promise<WindowSession> | undefined,
  logger: Logger,
): void {
  ipcMain.handle('weft:call', async (event, name: unknown, json: unknown): Promise<BridgeReply> => {
    try {
      const verdict = readCall(senderOf(event), name, json)
      const session = verdict.ok ? sessionOf(event.sender) : undefined
      if (!verdict.ok || session === undefined) {
        const error = verdict.ok
          ? ({ code: 'NOT_ALLOWED', message: 'This page belongs to no window' } as const)
          : verdict.error
        logger.warn('A message from a page was refused', { ...error })
        return { ok: false, error }
      }
      return await (await session).call(verdict.name, verdict.params)
    } catch (error) {
      logger.error('A call from a window failed', { error })
      return { ok: false, error: { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) } }
    }
  })
}

function senderOf(event: IpcMainInvokeEvent): { frameUrl: string | undefined; isMainFrame: boolean } {
  // Null for a frame that is gone; older versions say so with a frame that has no address.
  const frame = event.senderFrame as IpcMainInvokeEvent['senderFrame'] | undefined
  return {
    frameUrl: frame === null || frame === undefined ? undefined : frame.url,
    isMainFrame: frame === event.sender.mainFrame,
  }
}
