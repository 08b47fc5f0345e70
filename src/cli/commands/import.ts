// `weft import`: brings in a file of `weft export`, in pieces.

import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { HostClient, ImportProgress } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { CliError, toCliError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { withHost } from './command.ts'

const PIECE_BYTES = 512 * 1024

export async function importRun(context: CliContext, file: string, options: { json?: boolean }): Promise<ExitCode> {
  const { out, cwd } = context
  const done = await withHost(context, cwd, async ({ client }) => {
    try {
      return await sendFile(client, file === '-' ? undefined : resolve(cwd, file))
    } catch (error) {
      if (error instanceof Error && 'syscall' in error)
        throw new CliError('NOT_FOUND', `${file} can't be read: ${error.message}`, { cause: error })
      throw toCliError(error)
    }
  })
  const { runId, renamed, known } = done
  if (options.json) writeJson(out, { runId, renamed, known })
  else if (known) out.line(`${runId} is here already, and the same: nothing was written`)
  else if (renamed) out.line(`imported as ${runId}: another run has the id that it had`)
  else out.line(`imported ${runId}`)
  return EXIT.completed
}

async function sendFile(client: HostClient, path: string | undefined): Promise<ImportProgress> {
  const stream =
    path === undefined
      ? process.stdin.setEncoding('utf8')
      : createReadStream(path, { encoding: 'utf8', highWaterMark: PIECE_BYTES })
  let importId: string | undefined
  for await (const text of stream) {
    // The encoding makes the pieces text.
    const piece = { text: String(text), last: false, ...(importId !== undefined && { importId }) }
    importId = (await client.call('run.import', piece)).importId
  }
  return client.call('run.import', { text: '', last: true, ...(importId !== undefined && { importId }) })
}
