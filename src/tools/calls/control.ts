// Tools that steer a live run: cancel, pause, continue, and what may be done about one agent.

import type { HostCalls } from '../../shared/index.ts'
import { succeed } from '../results/tool-result.ts'
import type { ToolHandler } from './call-context.ts'
import { InputError, present, readInput } from './read-input.ts'
import { settleRun } from './settle.ts'

const CANCEL_MS = 20_000

export const cancelRun: ToolHandler = async (given, context) => {
  const { session } = context
  const input = readInput(given, { runId: 'string', reason: 'string' }, ['runId'])
  const { runId } = await session.requireRow(present(input.runId))
  await session.host.call('run.cancel', { runId, ...(input.reason !== undefined && { reason: input.reason }) })
  await settleRun(runId, context, Math.min(context.limitMs, CANCEL_MS))
  const { row } = await session.host.call('run.get', { runId })
  const words = row.endedAt === null ? 'is being cancelled' : `has ended: ${row.status}`
  return succeed([`Run ${runId} ${words}.`], { runId, status: row.status })
}

export const pauseRun: ToolHandler = async (given, { session }) => {
  const input = readInput(given, { runId: 'string', reason: 'string' }, ['runId'])
  const { runId } = await session.requireRow(present(input.runId))
  await session.host.call('run.pause', { runId, ...(input.reason !== undefined && { reason: input.reason }) })
  const text = `Run ${runId} is paused: no further agent begins, those that run go on. Call workflow_continue to let it go on.`
  return succeed([text], { runId, status: 'paused' })
}

export const continueRun: ToolHandler = async (given, { session }) => {
  const input = readInput(given, { runId: 'string' }, ['runId'])
  const { runId } = await session.requireRow(present(input.runId))
  await session.host.call('run.continue', { runId })
  return succeed([`Run ${runId} goes on.`], { runId, status: 'running' })
}

type Action = HostCalls['run.agent']['params']['action']
const ACTIONS: readonly Action[] = ['skip', 'retry', 'stop']
const DONE: Record<Action, string> = {
  skip: 'is skipped: it is null to the script',
  retry: 'is started again',
  stop: 'is stopped: it is null to the script',
}

export const actOnAgent: ToolHandler = async (given, { session }) => {
  const fields = { runId: 'string', agent: 'count', action: 'string' } as const
  const input = readInput(given, fields, ['runId', 'agent', 'action'])
  const action = ACTIONS.find((known) => known === input.action)
  if (action === undefined) throw new InputError([`action has to be one of ${ACTIONS.join(', ')}, not ${input.action}`])
  const { runId } = await session.requireRow(present(input.runId))
  const agent = present(input.agent)
  await session.host.call('run.agent', { runId, agent, action })
  return succeed([`Agent ${agent} of run ${runId} ${DONE[action]}.`], { runId, agent, action })
}
