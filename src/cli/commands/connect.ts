// `weft connect`: shows or writes what a harness's configuration has to say of Weft.

import { resolve } from 'node:path'
import type { ConnectionFile, ConnectionPreview, ConnectionScope, HarnessConnection } from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { renderTable } from '../render/table.ts'
import { escapeControls } from '../render/text.ts'
import { withHost } from './command.ts'

export interface ConnectOptions {
  write?: boolean
  remove?: boolean
  project?: boolean
  cwd?: string
  json?: boolean
}

export function connect(context: CliContext, name: string | undefined, options: ConnectOptions): Promise<ExitCode> {
  return name === undefined ? listHarnesses(context, options) : connectOne(context, name, options)
}

async function listHarnesses(context: CliContext, options: ConnectOptions): Promise<ExitCode> {
  const { out, outStyle } = context
  const workspace = resolve(context.cwd, options.cwd ?? '.')
  const { harnesses } = await withHost(context, workspace, ({ client }) =>
    client.call('connections.list', { workspace }),
  )
  if (options.json) {
    writeJson(out, harnesses)
    return EXIT.completed
  }
  const rows = harnesses.map((harness) => [
    harness.id,
    harness.found ? 'yes' : 'no',
    ...(['user', 'project'] as const).map((scope) => describeScope(harness, scope)),
    escapeControls(harness.files[0]?.path ?? ''),
  ])
  const heading = ['HARNESS', 'FOUND', 'USER', 'PROJECT', 'FILE']
  for (const line of renderTable(heading, rows, { width: out.columns(), heading: outStyle.colors.bold })) out.line(line)
  return EXIT.completed
}

const STATES: Record<ConnectionFile['state'], string> = {
  absent: 'not connected',
  connected: 'connected',
  changed: 'connected otherwise',
  unreadable: 'unreadable',
}

function describeScope({ files }: HarnessConnection, wanted: ConnectionScope): string {
  const file = files.find(({ scope }) => scope === wanted)
  return file === undefined ? '–' : STATES[file.state]
}

async function connectOne(context: CliContext, harness: string, options: ConnectOptions): Promise<ExitCode> {
  const { out, err } = context
  const workspace = resolve(context.cwd, options.cwd ?? '.')
  const target = { harness, scope: options.project === true ? ('project' as const) : ('user' as const), workspace }
  const remove = options.remove === true
  return withHost(context, workspace, async ({ client }) => {
    const preview = await client.call('connections.preview', { ...target, remove })
    const change =
      options.write === true
        ? await client.call(remove ? 'connections.disconnect' : 'connections.connect', {
            ...target,
            hash: preview.hash,
          })
        : null
    if (options.json) {
      writeJson(out, { ...preview, written: change?.changed ?? false, backup: change?.backup ?? null })
      return EXIT.completed
    }
    const path = escapeControls(preview.path)
    if (preview.unchanged) out.line(remove ? `${path} does not name Weft` : `${path} names Weft already`)
    else if (change === null) {
      for (const line of describeChange(preview)) out.line(line)
      err.line(`nothing was written: --write ${remove ? 'takes it out of' : 'puts it into'} ${path}`)
    } else {
      out.line(`${path} ${remove ? 'names Weft no more' : 'names Weft now'}`)
      if (change.backup !== null) out.line(`what it was: ${escapeControls(change.backup)}`)
    }
    if (!remove) for (const note of preview.notes) err.line(`note: ${note}`)
    return EXIT.completed
  })
}

function describeChange({ line, removed, added }: ConnectionPreview): string[] {
  const marked = (mark: string) => (text: string) => `${mark} ${escapeControls(text.replace(/\r$/, ''))}`
  return [`@@ line ${line} @@`, ...removed.map(marked('-')), ...added.map(marked('+'))]
}
