// Runs as things that are kept: exported, imported, pinned, deleted. Files leave and enter through the page itself, so that
// the desktop window and a browser do the same.

import type { HostClient, RunId, RunRow } from '../../../shared/index.ts'
import { pickFile, saveFile } from '../files.ts'
import { messageOf } from '../message-of.ts'
import type { Notices } from '../notices.ts'

export type ExportFormat = 'jsonl' | 'html'

interface ArchiveOptions {
  client: HostClient
  notices: Pick<Notices, 'info' | 'error'>
  openRun(row: RunRow): void
}

const TYPES: Record<ExportFormat, string> = { jsonl: 'application/x-ndjson', html: 'text/html' }
/** What `run.import` takes at once, in UTF-16 units. */
const PIECE = 1_000_000

export function createArchive({ client, notices, openRun }: ArchiveOptions) {
  const archive = {
    async exportRun(runId: RunId, format: ExportFormat): Promise<void> {
      try {
        const parts: string[] = []
        let cursor: string | null | undefined
        let fileName = ''
        do {
          // oxlint-disable-next-line no-await-in-loop -- each page is asked for with the cursor of the one before
          const page = await client.call('run.export', { runId, format, ...(cursor && { cursor }) })
          parts.push(page.text)
          ;({ cursor, fileName } = page)
        } while (cursor !== null)
        saveFile(fileName, parts, TYPES[format])
        notices.info(`Exported as ${fileName}.`)
      } catch (error) {
        notices.error(`The run was not exported: ${messageOf(error)}`)
      }
    },

    /** Has the user pick a file first. */
    async importPicked(): Promise<void> {
      const file = await pickFile('.jsonl')
      if (file !== null) await archive.importFile(file)
    },

    async importFile(file: File): Promise<void> {
      try {
        const { runId, known } = await sendPieces(client, file)
        if (runId === null) throw new Error('the host did not say which run it is')
        const { row } = await client.call('run.get', { runId })
        openRun(row)
        notices.info(known ? `${file.name} is here already.` : `Imported ${file.name}.`)
      } catch (error) {
        notices.error(`${file.name} was not imported: ${messageOf(error)}`)
      }
    },

    async pin(runId: RunId, pinned: boolean): Promise<void> {
      try {
        await client.call('run.pin', { runId, pinned })
        notices.info(pinned ? 'Pinned: the run is kept whatever its age.' : 'No longer pinned.')
      } catch (error) {
        notices.error(`The run was not ${pinned ? 'pinned' : 'unpinned'}: ${messageOf(error)}`)
      }
    },

    /** Resolves true when it is gone. */
    async remove(runId: RunId): Promise<boolean> {
      try {
        await client.call('run.delete', { runIds: [runId] })
        notices.info('The run was deleted.')
        return true
      } catch (error) {
        notices.error(`The run was not deleted: ${messageOf(error)}`)
        return false
      }
    },
  }
  return archive
}

async function sendPieces(client: HostClient, file: File): Promise<{ runId: RunId | null; known: boolean }> {
  let importId: string | undefined
  let waiting = ''
  const send = async (text: string, last: boolean) => {
    const reply = await client.call('run.import', { text, last, ...(importId !== undefined && { importId }) })
    ;({ importId } = reply)
    return reply
  }
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- pieces are sent in their order, one at a time
    const { done, value } = await reader.read()
    if (done) break
    waiting += value
    while (waiting.length > PIECE) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await send(waiting.slice(0, PIECE), false)
      waiting = waiting.slice(PIECE)
    }
  }
  return send(waiting, true)
}
