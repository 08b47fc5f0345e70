// `weft events`, `weft result`, `weft script`: what a run left behind, as it is.

import type { JsonValue } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { escapeBlock } from '../render/text.ts'
import { renderResult } from '../render/result.ts'
import { findRun } from '../run/find-run.ts'
import { toJsonLines } from '../run/event-writer.ts'
import { readEvents } from '../run/follow-run.ts'
import { withHost } from './command.ts'

/** JSON Lines, or one array with `--json`. */
export async function printEvents(context: CliContext, id: string, options: { json?: boolean }): Promise<ExitCode> {
  const events = await withHost(context, context.cwd, async ({ client }) => {
    const { runId } = await findRun(client, id)
    return readEvents(client, runId, 1)
  })
  if (options.json) writeJson(context.out, events)
  else context.out.write(toJsonLines(events))
  return EXIT.completed
}

/** The whole return value: text as it is and JSON indented, or JSON in any case with `--json`. */
export async function printResult(context: CliContext, id: string, options: { json?: boolean }): Promise<ExitCode> {
  const value = await withHost(context, context.cwd, async ({ client }) => {
    const { runId, status } = await findRun(client, id)
    const { settled, json } = await client.call('run.result', { runId })
    if (json === null) {
      const state = settled || status === 'interrupted' ? `it ended "${status}"` : 'it has not ended yet'
      throw new CliError('REFUSED', `run ${runId} has no result: ${state}`)
    }
    // The host has stored what it had checked to be JSON.
    return JSON.parse(json) as JsonValue
  })
  if (options.json) writeJson(context.out, value)
  else context.out.write(renderResult(value, context.out.isTty))
  return EXIT.completed
}

/** The text that ran, byte for byte. */
export async function printScript(context: CliContext, id: string, options: { json?: boolean }): Promise<ExitCode> {
  const script = await withHost(context, context.cwd, async ({ client }) => {
    const { runId } = await findRun(client, id)
    return client.call('run.script', { runId })
  })
  if (options.json) writeJson(context.out, script)
  else context.out.write(context.out.isTty ? escapeBlock(script.text) : script.text)
  return EXIT.completed
}
