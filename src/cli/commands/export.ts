// `weft export`: a run as one file, page by page, so that a long one is never whole in memory.

import { randomBytes } from 'node:crypto'
import { appendFileSync, closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { HostClient, RunId } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { findRun } from '../run/find-run.ts'
import { withHost } from './command.ts'

export interface ExportOptions {
  output?: string
  html?: boolean
  force?: boolean
  json?: boolean
}

type Page = (text: string) => void | Promise<void>

export async function exportRun(context: CliContext, id: string, options: ExportOptions): Promise<ExitCode> {
  const { out, cwd } = context
  const toStdout = options.output === '-'
  if (toStdout && options.json)
    throw new CliError('USAGE', 'with -o - the file itself goes to standard output: leave --json out, or name a file')
  return withHost(context, cwd, async ({ client }) => {
    const { runId } = await findRun(client, id)
    const format = options.html === true ? 'html' : 'jsonl'
    if (toStdout) {
      await eachPage(client, runId, format, async (text) => {
        out.write(text)
        await out.flush()
      })
      return EXIT.completed
    }
    const file = await writeFile(client, runId, format, options, cwd)
    if (options.json) writeJson(out, { runId, file })
    else out.line(`${runId} is in ${file}`)
    return EXIT.completed
  })
}

type Format = 'jsonl' | 'html'

async function eachPage(client: HostClient, runId: RunId, format: Format, take: Page): Promise<string> {
  for (let cursor: string | undefined; ;) {
    // oxlint-disable no-await-in-loop -- each page has the cursor of the next
    const page = await client.call('run.export', { runId, format, ...(cursor !== undefined && { cursor }) })
    await take(page.text)
    // oxlint-enable no-await-in-loop
    if (page.cursor === null) return page.fileName
    cursor = page.cursor
  }
}

/** The file gets its name when it is whole. Throws CliError USAGE when there is one already. */
async function writeFile(
  client: HostClient,
  runId: RunId,
  format: Format,
  { output, force }: ExportOptions,
  cwd: string,
): Promise<string> {
  const named = output === undefined ? undefined : resolve(cwd, output)
  if (named !== undefined) refuseExisting(named, force)
  const partial = join(named === undefined ? cwd : dirname(named), `.weft-export-${randomBytes(6).toString('hex')}.tmp`)
  const handle = open(partial)
  try {
    const name = await eachPage(client, runId, format, (text) => appendFileSync(handle, text))
    closeSync(handle)
    const file = named ?? join(cwd, name)
    settle(partial, file, force)
    return file
  } finally {
    rmSync(partial, { force: true })
  }
}

function open(partial: string): number {
  try {
    // A run may hold what others should not read.
    return openSync(partial, 'wx', 0o600)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError('USAGE', `the file can't be written: ${reason}`, { cause: error })
  }
}

function settle(partial: string, file: string, force: boolean | undefined): void {
  if (force === true) return renameSync(partial, file)
  try {
    // Unlike a rename, a link never takes another file's place.
    linkSync(partial, file)
  } catch (error) {
    refuseExisting(file, force)
    if (error instanceof Error && 'code' in error && error.code !== 'EEXIST') return renameSync(partial, file)
    throw error
  }
}

function refuseExisting(file: string, force: boolean | undefined): void {
  if (force !== true && existsSync(file))
    throw new CliError('USAGE', `${file} exists already: name another file with -o, or replace it with --force`)
}
