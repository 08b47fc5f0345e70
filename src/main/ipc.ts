// The channels by which pages reach the app. Every message is checked for its sender and its shape before anything looks
// inside, and whatever goes wrong, the page gets an answer.

import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import type { Logger } from './logger.ts'
import type { BridgeReply } from '../shared/index.ts'
import { readCall, type CallSender } from './call-gate.ts'
import type { WindowSession } from './host-link.ts'
import { pageMessages, readMessage, type PageMessages } from './page-messages.ts'

/** What each message does; its answer goes back to the page. */
export type PageHandlers = {
  [Name in keyof PageMessages]: (contents: WebContents, input: PageMessages[Name]) => unknown
}

/** Takes every message of `pageMessages`; one that is refused rejects in the page. */
export function answerMessages(handlers: PageHandlers, logger: Logger): void {
  // The keys of the object.
  for (const name of Object.keys(pageMessages) as (keyof PageMessages)[]) answerMessage(name, handlers, logger)
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it ties a message to its handler
function answerMessage<Name extends keyof PageMessages>(name: Name, handlers: PageHandlers, logger: Logger): void {
  ipcMain.handle(name, async (event, input: unknown) => {
    try {
      return await handlers[name](event.sender, readMessage(name, senderOf(event), input))
    } catch (error) {
      logger.warn('A message from a page was not taken', { error })
      throw error
    }
  })
}

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

function senderOf(event: IpcMainInvokeEvent): CallSender {
  // Null for a frame that is gone; older versions say so with a frame that has no address.
  const frame = event.senderFrame as IpcMainInvokeEvent['senderFrame'] | undefined
  return {
    frameUrl: frame === null || frame === undefined ? undefined : frame.url,
    isMainFrame: frame === event.sender.mainFrame,
  }
}
