// Questions that an agent's back end asks on its behalf: they go through the run's event stream, so that every face sees them.

import type { AgentNumber, PermissionAnswer } from '../../shared/index.ts'
import type { PermissionQuestion, PermissionReply } from '../ports.ts'
import type { RunContext } from './context.ts'

const open = new WeakMap<RunContext, Map<string, AgentNumber>>()

/** Asks the gate and tells the run about question and answer. Cancelled when the attempt is aborted. */
export async function askPermission(
  context: RunContext,
  agent: AgentNumber,
  question: PermissionQuestion,
  signal: AbortSignal,
): Promise<PermissionReply> {
  const { log, ports, runId } = context
  const questions = open.get(context) ?? new Map<string, AgentNumber>()
  open.set(context, questions)
  const { id, title, detail, options } = question
  questions.set(id, agent)
  log.emit('permission-asked', { agent, request: id, title, options, ...(detail !== undefined && { detail }) })
  const reply = await ports.permissions.ask({ ...question, runId, agent }, signal)
  // Once an answer has been told, as cancelled when the attempt ended, a later one says nothing.
  if (!questions.has(id)) return reply
  tellAnswer(context, agent, id, reply.answer, reply.by)
  if (reply.reason !== undefined) log.emit('warning', { code: 'permission/policy', message: reply.reason, agent })
  return reply
}

export function hasOpenQuestion(context: RunContext, agent: AgentNumber): boolean {
  return [...(open.get(context)?.values() ?? [])].includes(agent)
}

/** The attempt is over: what was still being asked is answered as cancelled. */
export function closePermissions(context: RunContext, agent: AgentNumber): void {
  for (const [request, asker] of open.get(context) ?? []) {
    if (asker === agent) tellAnswer(context, agent, request, 'reject', 'cancelled')
  }
}

function tellAnswer(
  context: RunContext,
  agent: AgentNumber,
  request: string,
  answer: PermissionAnswer,
  by: PermissionReply['by'],
): void {
  if (open.get(context)?.delete(request) !== true) return
  context.log.emit('permission-answered', { agent, request, answer, by })
}
