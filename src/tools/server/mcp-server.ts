// The MCP server of one session, for either era of the protocol: what clients may ask, and what they are told unasked.

import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
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
import type { ToolSession } from './tool-session.ts'

export interface McpServerOptions {
  session: ToolSession
  version: string
  toolName: string
  /** A modern client says by its subscriptions what it wants to hear; an older one subscribes to each resource. */
  era: 'legacy' | 'modern'
}

/** Made for each connection, and for a probe that is thrown away: it holds nothing but subscriptions. */
export function createMcpServer({ session, version, toolName, era }: McpServerOptions): Server {
  const server = new Server(
    { name: SERVER_NAME, version },
    { capabilities: CAPABILITIES, instructions: instructionsFor(toolName) },
  )
  const identify = (ctx?: ServerContext): void => session.identify(clientNameOf(server, ctx))
  server.setRequestHandler('tools/list', (_request, ctx) => {
    identify(ctx)
    return { tools: listTools({ toolName, depth: session.depth }) }
  })
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    identify(ctx)
    const handler = findTool(params.name, toolName)
    if (handler === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}"`)
    return callTool(handler, params.arguments, makeContext(session, ctx))
  })
  server.setRequestHandler('prompts/list', async (_request, ctx) => {
    identify(ctx)
    return { prompts: await listPrompts(session) }
  })
  server.setRequestHandler('prompts/get', ({ params }, ctx) => {
    identify(ctx)
    return getPrompt(session, params.name, params.arguments ?? {})
  })
  server.setRequestHandler('resources/list', async (_request, ctx) => {
    identify(ctx)
    return { resources: await listResources(session) }
  })
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: RESOURCE_TEMPLATES }))
  server.setRequestHandler('resources/read', ({ params }, ctx) => {
    identify(ctx)
    return readResource(session, params.uri)
  })
  const news = tellNews(server, session, era)
  server.setRequestHandler('resources/subscribe', async ({ params }, ctx) => {
    identify(ctx)
    await findResource(session, params.uri)
    news.subscribed.add(params.uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    news.subscribed.delete(params.uri)
    return {}
  })
  server.oninitialized = () => {
    identify()
    news.begin()
  }
  // The SDK has no other way to hear of it.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  server.onclose = () => news.stop()
  if (era === 'modern') news.begin()
  return server
}

function tellNews(server: Server, session: ToolSession, era: McpServerOptions['era']) {
  const subscribed = new Set<string>()
  const known = new Set<string>()
  const stops: (() => void)[] = []
  // A client that has gone is told nothing, and that is no fault.
  const tell = (sending: Promise<void>): void => void sending.catch(() => {})
  return {
    subscribed,
    begin() {
      if (stops.length > 0) return
      stops.push(
        session.onRow((row) => {
          if (!session.sees(row)) return
          if (!known.has(row.runId)) tell(server.sendResourceListChanged())
          known.add(row.runId)
          for (const uri of changedUris(row))
            if (era === 'modern' || subscribed.has(uri)) tell(server.sendResourceUpdated({ uri }))
        }),
        session.onWorkflows(() => tell(server.sendPromptListChanged())),
      )
      if (era === 'modern') return
      // From now on the host tells of changed workflow files.
      const { workspace } = session
      session.host.call('workflows.list', { workspace }).catch((error: unknown) => {
        session.logger.debug('The workflows of a harness can not be watched', { error })
      })
    },
    stop() {
      for (const stop of stops.splice(0)) stop()
    },
  }
}

function clientNameOf(server: Server, ctx?: ServerContext): string | undefined {
  const envelope: { [key: string]: unknown } = ctx?.mcpReq.envelope ?? {}
  const info = envelope[CLIENT_INFO_META_KEY]
  if (isJsonObject(info) && typeof info['name'] === 'string') return info['name']
  // Named in the handshake, which only older clients make.
  // oxlint-disable-next-line typescript/no-deprecated -- there is no other way to it in that era
  return server.getClientVersion()?.name
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
    hasDisconnected: () =>
      session.closed || (signal.reason instanceof SdkError && signal.reason.code === SdkErrorCode.ConnectionClosed),
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
