// Everything about one agent call as text: for a bug report, or for another agent.

import type { AgentCallRecord, AgentState } from '../../../shared/index.ts'
import { formatDuration } from '../format.ts'
import type { Transcript, TranscriptItem } from './transcript.ts'

export function describeAgent(agent: AgentState, record?: AgentCallRecord, transcript?: Transcript): string {
  const { usage, durationMs } = agent
  const facts = [
    `status: ${agent.status}`,
    `back end: ${agent.backend}`,
    agent.model !== undefined && `model: ${agent.model}`,
    agent.phase !== null && `phase: ${agent.phase}`,
    `path: ${agent.path}`,
    `attempts: ${Math.max(agent.attempt, agent.failedAttempts.length)}`,
    durationMs !== undefined && `duration: ${formatDuration(durationMs)}`,
    usage && `output tokens: ${usage.outputTokens}`,
    usage?.inputTokens !== undefined && `input tokens: ${usage.inputTokens}`,
    agent.branch !== undefined && `branch: ${agent.branch}`,
    agent.error && `error: ${agent.error.message}`,
  ].filter((fact) => typeof fact === 'string')
  const parts = [
    `# ${agent.label}`,
    facts.join('\n'),
    section('Prompt', record?.prompt ?? agent.promptPreview),
    record && Object.keys(record.options).length > 0 && section('Options', JSON.stringify(record.options, null, 2)),
    agent.failedAttempts.length > 0 &&
      section(
        'Failed attempts',
        agent.failedAttempts.map((one) => `${one.attempt} (${one.failure}): ${one.error}`).join('\n'),
      ),
    transcript && section('Transcript', transcript.items.map(describeItem).join('\n')),
    resultOf(agent, record),
  ]
  return `${parts.filter((part) => typeof part === 'string').join('\n\n')}\n`
}

function section(title: string, text: string): string {
  return `## ${title}\n\n${text}`
}

function resultOf(agent: AgentState, record: AgentCallRecord | undefined): string | undefined {
  if (record?.outcome === 'completed' || record?.outcome === 'replayed') {
    const { result } = record
    return section('Result', typeof result === 'string' ? result : JSON.stringify(result, null, 2))
  }
  return agent.resultPreview === undefined ? undefined : section('Result', agent.resultPreview)
}

function describeItem(item: TranscriptItem): string {
  switch (item.kind) {
    case 'text':
    case 'raw':
      return item.text
    case 'tool':
      return [`[${item.tool}] ${item.title ?? ''} ${item.status ?? ''}`.trim(), item.input, item.output]
        .filter((part) => part !== undefined)
        .join('\n')
    case 'rejected':
      return `Answer rejected: ${item.errors.join('; ')}\n${item.answer}`
    case 'attempt':
      return `Attempt ${item.attempt} failed (${item.failure}): ${item.error}`
  }
}
