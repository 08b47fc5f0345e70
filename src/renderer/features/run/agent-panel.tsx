// One agent, whole: what it was asked, how it went, what it answered. Everything an agent wrote is shown as plain text.

import { ClipboardCopy, X } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { AgentCallRecord, AgentNumber, AgentState } from '../../../shared/index.ts'
import { formatCost, formatDuration, formatTicking } from '../../state/format.ts'
import { messageOf } from '../../state/message-of.ts'
import { describeAgent } from '../../state/runs/describe-agent.ts'
import { refuseAgentAction } from '../../state/runs/run-controls.ts'
import type { RunSession } from '../../state/runs/run-session.ts'
import { isLiveStatus, viewStatus } from '../../state/runs/run-view.ts'
import type { RunningTab } from '../../state/tabs/tabs.ts'
import type { Transcript } from '../../state/runs/transcript.ts'
import { useApp, useTimeText } from '../../ui/app-context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PanelHead } from '../../ui/panel-head.tsx'
import { RefusableButton } from '../../ui/refusable-button.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { AGENT_ACTIONS } from './agent-menu.tsx'
import styles from './agent-panel.module.css'
import { Facts, JsonSection, TextSection } from './agent-sections.tsx'
import { PermissionQuestion } from './permission-question.tsx'
import { TranscriptView } from './transcript-view.tsx'
import { useShownRun } from './use-shown-run.ts'

type Loaded = { record?: AgentCallRecord; error?: string }

interface AgentPanelProps {
  tab: RunningTab
  session: RunSession
  agent: AgentNumber
}

export function AgentPanel({ tab, session, agent: number }: AgentPanelProps) {
  const app = useApp()
  // As the tree shows it: the slider takes both back.
  const { state, at } = useShownRun(session)
  const agent = state.agents[number - 1]
  const latest = useStore(session.view, (view) => view.state.agents[number - 1])
  const latestTranscript = useStore(session.view, (view) => view.transcripts.get(number))
  const transcript = useMemo(
    () => (at === undefined ? latestTranscript : session.history.transcriptOf(number)),
    [session, number, at, latestTranscript],
  )
  const { record, error } = useCallRecord(session, number, latest?.status)
  if (latest === undefined) return null
  if (agent === undefined) return <NotYetCalled session={session} label={latest.label} />
  return (
    <section className={styles['panel']} aria-label="Agent">
      <PanelHead title={agent.label}>
        <CopyEverything agent={agent} record={record} transcript={transcript} />
        <IconButton label="Close agent" onClick={() => session.tree.select(undefined)}>
          <X size={15} aria-hidden />
        </IconButton>
      </PanelHead>
      <div className={styles['content']} tabIndex={0} role="group" aria-label={`Details of ${agent.label}`}>
        <div className={styles['verdict']}>
          <StatusIcon status={agent.status} /> {agent.status}
          {agent.attempt > 1 && `, attempt ${agent.attempt}`}
          <LastHeard agent={agent} live={at === undefined} />
        </div>
        <AgentControls session={session} agent={agent} />
        {agent.status === 'replayed' && <ReplayedFrom session={session} agent={agent} />}
        {agent.permission && session.answerPermission && (
          <PermissionQuestion
            key={agent.permission.request}
            question={agent.permission}
            answer={(answer, request) => session.answerPermission?.(number, request, answer)}
          />
        )}
        {agent.error && <p className={styles['error']}>{agent.error.message}</p>}
        <Facts rows={factsOf(agent)} />
        {tab.kind === 'run' && agent.branch !== undefined && (
          <button type="button" className={styles['link']} onClick={() => app.openBranches(tab, agent.branch ?? null)}>
            Changes on {agent.branch}: show, open, merge or drop them
          </button>
        )}
        <TextSection title="Prompt" text={record?.prompt ?? agent.promptPreview} cut={record === undefined} />
        <ResultSection agent={agent} record={record} />
        {transcript && transcript.items.length > 0 && (
          <TranscriptView transcript={transcript} running={at === undefined && agent.status === 'running'} />
        )}
        {agent.failedAttempts.length > 0 && <FailedAttempts attempts={agent.failedAttempts} />}
        {record && Object.keys(record.options).length > 0 && <JsonSection title="Options" value={record.options} />}
        {error !== undefined && <p className={styles['error']}>The call could not be read: {error}</p>}
      </div>
    </section>
  )
}

function NotYetCalled({ session, label }: { session: RunSession; label: string }) {
  return (
    <section className={styles['panel']} aria-label="Agent">
      <PanelHead title={label}>
        <IconButton label="Close agent" onClick={() => session.tree.select(undefined)}>
          <X size={15} aria-hidden />
        </IconButton>
      </PanelHead>
      <EmptyState small title="Not called yet">
        At the moment that the slider is at, the script had not called this agent.
      </EmptyState>
    </section>
  )
}

/** The call from the journal, read again when its status changes. Nothing for a dry run. */
function useCallRecord(session: RunSession, agent: AgentNumber, status: string | undefined): Loaded {
  const [loaded, setLoaded] = useState<Loaded & { agent?: AgentNumber }>({})
  useEffect(() => {
    let current = true
    // Before it is queued there is nothing to read.
    if (status === undefined) return
    session.readCall?.(agent).then(
      (record) => current && setLoaded({ agent, record }),
      (error: unknown) => current && setLoaded({ agent, error: messageOf(error) }),
    )
    return () => {
      current = false
    }
  }, [session, agent, status])
  // What belongs to the agent shown before must not be taken for this one's.
  return loaded.agent === agent ? loaded : {}
}

function ResultSection({ agent, record }: { agent: AgentState; record: AgentCallRecord | undefined }) {
  if (agent.status !== 'completed' && agent.status !== 'replayed') return null
  if (record?.outcome != null) {
    const { result } = record
    return typeof result === 'string' ? (
      <TextSection title="Result" text={result} />
    ) : (
      <JsonSection title="Result" value={result} />
    )
  }
  return agent.resultPreview === undefined ? null : <TextSection title="Result" text={agent.resultPreview} cut />
}

function FailedAttempts({ attempts }: { attempts: AgentState['failedAttempts'] }) {
  return (
    <div className={styles['section']}>
      <h3>Failed attempts</h3>
      <ol className={styles['attempts']}>
        {attempts.map(({ attempt, failure, error }) => (
          <li key={attempt}>
            <span className={styles['dim']}>
              {attempt} · {failure}
            </span>{' '}
            {error}
          </li>
        ))}
      </ol>
    </div>
  )
}

function factsOf(agent: AgentState): [string, string | undefined][] {
  const { usage, site } = agent
  const count = (tokens: number | undefined, what: string): string | undefined =>
    tokens === undefined ? undefined : `${tokens.toLocaleString('en-US')} ${what}`
  const tokens = [
    count(usage?.outputTokens, 'out'),
    count(usage?.inputTokens, 'in'),
    count(usage?.cacheReadTokens, 'cached'),
  ]
  return [
    ['Back end', agent.backend],
    ['Model', agent.model],
    ['Phase', agent.phase ?? undefined],
    ['Duration', agent.durationMs === undefined ? undefined : formatDuration(agent.durationMs)],
    ['Tokens', tokens.filter((part) => part !== undefined).join(', ') || undefined],
    ['Cost', usage?.costUsd === undefined ? undefined : formatCost(usage.costUsd)],
    ['Answers rejected', agent.rejections ? String(agent.rejections) : undefined],
    ['Branch', agent.branch],
    ['Called at', site && `${site.line}:${site.column}`],
    ['Path', agent.path],
  ]
}

/** When it last said anything: what works and what hangs look the same otherwise. */
function LastHeard({ agent, live }: { agent: AgentState; live: boolean }) {
  const open = live && agent.status === 'running'
  const text = useTimeText(open, (now) => (open ? formatTicking(now - agent.lastActivityAt) : ''))
  return open && <span className={styles['dim']}>· last heard of {text} ago</span>
}

function AgentControls({ session, agent }: { session: RunSession; agent: AgentState }) {
  const app = useApp()
  const view = useStore(session.view)
  const { runId } = session
  if (runId === undefined || !isLiveStatus(viewStatus(view))) return null
  return (
    <div className={styles['controls']} role="group" aria-label="Agent controls">
      {AGENT_ACTIONS.map(({ action, label, Icon, hint }) => (
        <RefusableButton
          key={action}
          look={action === 'stop' ? 'danger' : 'outlined'}
          icon={<Icon size={13} aria-hidden />}
          refusal={refuseAgentAction(view, agent, action)}
          title={hint}
          onClick={() => void app.steering.agent(runId, agent, action)}
        >
          {label}
        </RefusableButton>
      ))}
    </div>
  )
}

/** The way to the call that the answer was taken from. */
function ReplayedFrom({ session, agent }: { session: RunSession; agent: AgentState }) {
  const app = useApp()
  const earlier = useStore(session.view, (view) => view.state.info?.resumedFrom ?? null)
  if (earlier === null) return null
  return (
    <button type="button" className={styles['link']} onClick={() => void app.openEarlier(earlier, agent.key)}>
      Answered from an earlier run: show it there
    </button>
  )
}

interface CopyEverythingProps {
  agent: AgentState
  record: AgentCallRecord | undefined
  transcript: Transcript | undefined
}

function CopyEverything({ agent, record, transcript }: CopyEverythingProps) {
  const { notices } = useApp()
  const copy = (): void => {
    navigator.clipboard.writeText(describeAgent(agent, record, transcript)).then(
      () => notices.info(`Copied everything about “${agent.label}”.`),
      () => notices.error('The clipboard is not available.'),
    )
  }
  return (
    <IconButton label="Copy everything" onClick={copy}>
      <ClipboardCopy size={14} aria-hidden />
    </IconButton>
  )
}
