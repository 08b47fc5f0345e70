// Runs as resources: their state, events, script and result, for the runs that a session may see.

import { ResourceNotFoundError, type ReadResourceResult, type Resource } from '@modelcontextprotocol/server'
import { HostError, type RunId, type RunRow } from '../../shared/index.ts'
import type { ToolSession } from './tool-session.ts'

const LISTED_RUNS = 25
const LISTED_ROWS = 1000
const EVENT_PAGE = 10_000

const PARTS = ['state', 'events', 'script', 'result'] as const
type Part = (typeof PARTS)[number]

const MIME: Record<Part, string> = {
  state: 'application/json',
  events: 'application/jsonl',
  script: 'text/javascript',
  result: 'application/json',
}

export const RESOURCE_TEMPLATES = PARTS.map((part) => ({
  uriTemplate: uriOf('{runId}', part),
  name: `run ${part}`,
  mimeType: MIME[part],
}))

function uriOf(runId: string, part: Part): string {
  return `workflow://runs/${runId}${part === 'state' ? '' : `/${part}`}`
}

/** Resources of a run that change with it. */
export function changedUris({ runId, endedAt }: RunRow): string[] {
  const parts: Part[] = endedAt === null ? ['state', 'events'] : ['state', 'events', 'result']
  return parts.map((part) => uriOf(runId, part))
}

export async function listResources(session: ToolSession): Promise<Resource[]> {
  session.settings()
  const { runs } = await session.host.call('run.list', { startedBy: 'harness', limit: LISTED_ROWS })
  return runs
    .filter((row) => session.sees(row))
    .slice(0, LISTED_RUNS)
    .flatMap((row) =>
      PARTS.map((part) => ({
        uri: uriOf(row.runId, part),
        name: `${row.title ?? row.workflow}: ${part}`,
        description: `The ${part} of run ${row.runId} (${row.status})`,
        mimeType: MIME[part],
      })),
    )
}

/** Rejects with ResourceNotFoundError for what is not there and for what the session may not see. */
export async function readResource(session: ToolSession, uri: string): Promise<ReadResourceResult> {
  const { row, part } = await findResource(session, uri)
  const text = await readPart(session, row, part)
  return { contents: [{ uri, mimeType: MIME[part], text }] }
}

/** The run that a URI means. Rejects as `readResource`. */
export async function findResource(session: ToolSession, uri: string): Promise<{ row: RunRow; part: Part }> {
  const [, runId, name = 'state'] = /^workflow:\/\/runs\/([^/]+)(?:\/([a-z]+))?$/.exec(uri) ?? []
  const part = PARTS.find((known) => known === name)
  if (runId === undefined || part === undefined) throw new ResourceNotFoundError(uri)
  try {
    return { row: await session.requireRow(runId), part }
  } catch (error) {
    if (error instanceof HostError && error.code === 'NOT_FOUND') throw new ResourceNotFoundError(uri)
    throw error
  }
}

async function readPart(session: ToolSession, row: RunRow, part: Part): Promise<string> {
  const { host } = session
  const { runId } = row
  switch (part) {
    case 'state': {
      const state = await session.view(runId).refresh()
      return JSON.stringify({ row, state })
    }
    case 'events':
      return readEventLines(session, runId)
    case 'script':
      return (await host.call('run.script', { runId })).text
    case 'result':
      return (await host.call('run.result', { runId })).json ?? 'null'
  }
}

async function readEventLines({ host }: ToolSession, runId: RunId): Promise<string> {
  const lines: string[] = []
  for (;;) {
    const fromSeq = lines.length + 1
    // Each page starts where the last one ended.
    // oxlint-disable-next-line no-await-in-loop
    const { events } = await host.call('run.events', { runId, fromSeq, limit: EVENT_PAGE })
    lines.push(...events.map((event) => JSON.stringify(event)))
    if (events.length < EVENT_PAGE) return lines.join('\n')
  }
}
