// `weft backends`: who runs agents here, who could, and which of them shall.

import {
  isJsonObject,
  toPreview,
  type BackendCapabilities,
  type BackendInfo,
  type FoundAgent,
  type HostClient,
} from '../../shared/index.ts'
import type { CliContext } from '../context.ts'
import { CliError } from '../errors.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { writeJson } from '../output/json.ts'
import { renderTable } from '../render/table.ts'
import type { Style } from '../render/style.ts'
import { escapeControls } from '../render/text.ts'
import { withHost } from './command.ts'

export async function listBackends(context: CliContext, options: { json?: boolean }): Promise<ExitCode> {
  const { backends } = await withHost(context, context.cwd, ({ client }) => client.call('backends.list', {}))
  const { out, outStyle } = context
  if (options.json) writeJson(out, backends)
  else {
    const rows = backends.map((backend) => toBackendCells(backend, outStyle))
    print(context, ['BACK END', 'KIND', 'WORKS', 'DETAIL', 'SUPPORTS'], rows)
    if (backends.length === 1) out.line('"weft backends find" looks for agents on this machine')
  }
  return EXIT.completed
}

function toBackendCells({ id, kind, isDefault, available, detail, capabilities }: BackendInfo, style: Style): string[] {
  return [
    `${escapeControls(id)}${isDefault ? ' (default)' : ''}`,
    kind,
    available ? style.colors.green('yes') : style.colors.red('no'),
    escapeControls(toPreview(detail ?? '')),
    describeCapabilities(capabilities),
  ]
}

function describeCapabilities({ schema, usage, ...flags }: BackendCapabilities): string {
  const supports = Object.entries(flags).flatMap(([name, supported]) => (supported ? [name] : []))
  return [`schema by ${schema}`, `usage ${usage}`, ...supports].join(', ')
}

export async function findBackends(context: CliContext, options: { json?: boolean }): Promise<ExitCode> {
  const { found } = await withHost(context, context.cwd, ({ client }) => client.call('backends.find', {}))
  const { out, outStyle } = context
  if (options.json) writeJson(out, found)
  else {
    const rows = found.map((agent) => toFoundCells(agent, outStyle))
    print(context, ['AGENT', 'KIND', 'INSTALLED', 'SIGNED IN', 'DETAIL', 'SUPPORTS'], rows)
    out.line('"weft backends use <agent>" makes one the default')
  }
  return EXIT.completed
}

function toFoundCells(agent: FoundAgent, { colors }: Style): string[] {
  const { id, settings, installed, version, signedIn, detail, configured, capabilities } = agent
  const kept = configured.length === 0 ? '' : ` (in the settings: ${escapeControls(configured.join(', '))})`
  return [
    `${id}${kept}`,
    typeof settings['kind'] === 'string' ? settings['kind'] : '',
    installed ? colors.green(version ?? 'yes') : 'no',
    signedIn === true ? colors.green('yes') : signedIn === false ? colors.red('no') : '?',
    escapeControls(detail),
    describeCapabilities(capabilities),
  ]
}

export async function useBackend(context: CliContext, id: string, options: { json?: boolean }): Promise<ExitCode> {
  const used = await withHost(context, context.cwd, async ({ client }) => {
    const { backends } = await client.call('backends.list', {})
    if (backends.some((backend) => backend.id === id)) return rememberBackend(client, id)
    const { found } = await client.call('backends.find', {})
    const agent = found.find((other) => other.id === id)
    if (agent === undefined) {
      const known = [...new Set([...backends, ...found].map((other) => other.id))].join(', ')
      throw new CliError('NOT_FOUND', `there is no back end or agent called ${id}: known are ${known}`)
    }
    if (!agent.installed) throw new CliError('REFUSED', `${id} is not installed: ${agent.detail}`)
    return rememberBackend(client, id, agent)
  })
  if (options.json) writeJson(context.out, { defaultBackend: used })
  else context.out.line(`${used} runs agents from now on, where a run names no other`)
  return EXIT.completed
}

/** Makes it the default; one that was found is written into the settings as well. Resolves with its id there. */
export async function rememberBackend(client: HostClient, id: string, found?: FoundAgent): Promise<string> {
  const { settings, errors, path } = await client.call('settings.get', {})
  if (errors.length > 0) throw new CliError('REFUSED', `${path} can't be used: ${errors.join('; ')}`)
  const before = isJsonObject(settings) ? settings : {}
  const used = found?.configured[0] ?? id
  const known = isJsonObject(before['backends']) ? before['backends'] : {}
  const backends = found === undefined || used in known ? known : { ...known, [used]: found.settings }
  const added = Object.keys(backends).length === 0 ? {} : { backends }
  await client.call('settings.set', { settings: { ...before, ...added, defaultBackend: used } })
  return used
}

function print({ out, outStyle }: CliContext, headings: string[], rows: string[][]): void {
  for (const line of renderTable(headings, rows, { width: out.columns(), heading: outStyle.colors.bold }))
    out.line(line)
}
