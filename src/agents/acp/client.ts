// Our side of an ACP connection: takes updates, and puts the agent's questions to the run's permission gate.

import {
  client,
  methods,
  type ClientConnection,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk/unstable'
import type { AgentRequest } from '../../engine/index.ts'
import type { PermissionOption } from '../../shared/index.ts'
import type { CallLog } from '../command/call-log.ts'
import { toText } from '../command/presets/events.ts'
import type { StartedProcess } from '../process/start-process.ts'
import { OUTPUT_TOOL } from '../structured-output/output-names.ts'
import { toAgentStream } from './agent-stream.ts'
import type { SessionUpdates } from './session-updates.ts'
import { toJson } from '../to-json.ts'

export function connectClient(
  started: StartedProcess,
  request: AgentRequest,
  log: CallLog,
  updates: SessionUpdates,
): ClientConnection {
  let questions = 0
  return client({ name: 'weft' })
    .onNotification(methods.client.session.update, ({ params }) => updates.take(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => ask(params, request, ++questions))
    .connect(toAgentStream(started, (text) => log.raw(text)))
}

const KINDS: Record<PermissionOption, readonly string[]> = {
  'allow-once': ['allow_once'],
  'allow-run': ['allow_always', 'allow_once'],
  reject: ['reject_once', 'reject_always'],
}

async function ask(
  { toolCall, options }: RequestPermissionRequest,
  request: AgentRequest,
  question: number,
): Promise<RequestPermissionResponse> {
  const choose = (answer: PermissionOption): RequestPermissionResponse => {
    const chosen = KINDS[answer].flatMap((kind) => options.find((option) => option.kind === kind) ?? [])[0]
    return { outcome: chosen ? { outcome: 'selected', optionId: chosen.optionId } : { outcome: 'cancelled' } }
  }
  const title = toolCall.title ?? toolCall.kind ?? 'a tool'
  // Our own tool: handing over the answer needs nobody's leave.
  if (title.includes(OUTPUT_TOOL) || (toolCall.name ?? '').includes(OUTPUT_TOOL)) return choose('allow-once')
  if (request.askPermission === undefined) return choose('reject')
  const offered = (['allow-once', 'allow-run', 'reject'] as const).filter((answer) =>
    options.some(({ kind }) => kind === KINDS[answer][0]),
  )
  const reply = await request.askPermission({
    id: `${request.agent}.${request.attempt}.${question}`,
    title,
    ...(toolCall.rawInput !== undefined && { detail: toText(toJson(toolCall.rawInput)) }),
    options: offered.includes('reject') ? offered : [...offered, 'reject'],
  })
  return reply.by === 'cancelled' ? { outcome: { outcome: 'cancelled' } } : choose(reply.answer)
}
