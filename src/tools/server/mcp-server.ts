// The MCP server of one session, for either era of the protocol: what clients may ask, and what they are told unasked.

import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isJsonObject } from '../../shared/index.ts'
import type { CallContext } from '../calls/call-context.ts'
import { callTool, findTool } from '../calls/call-tool.ts'
import { CAPABILITIES, instructionsFor, SERVER_NAME } from '../manifest/server-info.ts'
import { listTools } from '../manifest/tools.ts'
import { getPrompt, listPrompts } from './prompts.ts'
import { changedUris, findResource, listResources, readResource, RESOURCE_TEMPLATES } from './resources.ts'
import { callLimitMs } from './time-limits.ts'
import type { ClientInfo, ToolSession } from './tool-session.ts'

export interface McpServerOptions {
  /** The session of a client by that name. */
  sessionOf(client: ClientInfo | undefined): ToolSession
  /** Whose runs this server tells of unasked; without it somebody else does. */
  news?: ToolSession
  version: string
  toolName: string
  depth: number
  /** A modern client says by its subscriptions what it wants to hear; an older one subscribes to each resource. */
  era: 'legacy' | 'modern'
}

/** Made for each connection, for a probe that is thrown away, or for one request: it holds nothing but subscriptions. */
export function createMcpServer({ sessionOf, news, version, toolName, depth, era }: McpServerOptions): Server {
  const server = new Server(
    { name: SERVER_NAME, version },
    { capabilities: CAPABILITIES, instructions: instructionsFor(toolName) },
  )
  const of = (ctx?: ServerContext): ToolSession => sessionOf(clientOf(server, ctx))
  const subscribed = new Set<string>()
  server.setRequestHandler('tools/list', (_request, ctx) => {
    of(ctx)
    return { tools: listTools({ toolName, depth }) }
  })
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const handler = findTool(params.name, toolName)
    if (handler === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}"`)
    const session = of(ctx)
    session.countCall()
    return callTool(handler, params.arguments, makeContext(session, ctx))
  })
  server.setRequestHandler('prompts/list', async (_request, ctx) => ({ prompts: await listPrompts(of(ctx)) }))
  server.setRequestHandler('prompts/get', ({ params }, ctx) => getPrompt(of(ctx), params.name, params.arguments ?? {}))
  server.setRequestHandler('resources/list', async (_request, ctx) => ({ resources: await listResources(of(ctx)) }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: RESOURCE_TEMPLATES }))
  server.setRequestHandler('resources/read', ({ params }, ctx) => readResource(of(ctx), params.uri))
  server.setRequestHandler('resources/subscribe', async ({ params }, ctx) => {
    await findResource(of(ctx), params.uri)
    subscribed.add(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
  if (news !== undefined) tellNews(server, news, era, subscribed, () => of())
  return server
}

/** What a client is told unasked, from the end of its handshake until it leaves. */
function tellNews(
  server: Server,
  session: ToolSession,
  era: McpServerOptions['era'],
  subscribed: ReadonlySet<string>,
  identify: () => void,
): void {
  let stop = (): void => {}
  // A client that has gone is told nothing, and that is no fault.
  const tell = (sending: Promise<void>): void => void sending.catch(() => {})
  const begin = (): void => {
    stop = followNews(session, {
      runsChanged: () => tell(server.sendResourceListChanged()),
      runChanged: (uri) => {
        if (era === 'modern' || subscribed.has(uri)) tell(server.sendResourceUpdated({ uri }))
      },
      workflowsChanged: () => tell(server.sendPromptListChanged()),
    })
  }
  // The SDK has no other way to hear of it.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  server.onclose = () => stop()
  if (era === 'modern') return begin()
  server.oninitialized = () => {
    identify()
    begin()
    // From now on the host tells of changed workflow files.
    const { workspace } = session
    session.host.call('workflows.list', { workspace }).catch((error: unknown) => {
      session.logger.debug('The workflows of a harness can not be watched', { error })
    })
  }
}

export interface News {
  runsChanged(): void
  runChanged(uri: string): void
  workflowsChanged(): void
}

/** Tells of the runs that a session may see, and of workflow files; returns its end. */
export function followNews(session: ToolSession, news: News): () => void {
  const known = new Set<string>()
  const stops = [
    session.onRow((row) => {
      if (!session.sees(row)) return
      if (!known.has(row.runId)) news.runsChanged()
      known.add(row.runId)
      for (const uri of changedUris(row)) news.runChanged(uri)
    }),
    session.onWorkflows(() => news.workflowsChanged()),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function clientOf(server: Server, ctx?: ServerContext): ClientInfo | undefined {
  const envelope: { [key: string]: unknown } = ctx?.mcpReq.envelope ?? {}
  const info = envelope[CLIENT_INFO_META_KEY]
  if (isJsonObject(info) && typeof info['name'] === 'string') {
    const { name, version } = info
    return { name, version: typeof version === 'string' ? version : undefined }
  }
  // Named in the handshake, which only older clients make.
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way to it in that era
  return server.getClientVersion()
}

function makeContext(session: ToolSession, ctx: ServerContext): CallContext {
  const { signal, notify } = ctx.mcpReq
  // oxlint-disable-next-line no-underscore-dangle -- the protocol's name
  const token = ctx.mcpReq._meta?.progressToken
  const settings = session.settings()
  let count = 0
  return {
    session,
    settings,
    signal,
    // Over HTTP a client of 2026 cancels a call by closing its stream; elsewhere a closed connection ends its session first.
    hasDisconnected: () => session.closed,
    progress(message) {
      if (token === undefined || signal.aborted) return
      count++
      const params = { progressToken: token, progress: count, message }
      // A client that has gone needs no progress.
      notify({ method: 'notifications/progress', params }).catch(() => {})
    },
    limitMs: callLimitMs(session.clientName, token !== undefined, settings.foregroundSeconds),
  }
}
