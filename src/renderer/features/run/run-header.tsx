// What a run is and how it stands: the verdict in words, never better than the facts.

import { CircleStop, FileCode } from 'lucide-react'
import { useStore } from 'zustand'
import { plural, type RunStarter, type RunStatus } from '../../../shared/index.ts'
import { formatCost, formatCount } from '../../state/format.ts'
import type { RunSession } from '../../state/runs/run-session.ts'
import { isLiveStatus, viewEnd, viewStatus, viewVerdict, type RunView } from '../../state/runs/run-view.ts'
import type { Tab } from '../../state/tabs/tabs.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Elapsed } from '../../ui/elapsed.tsx'
import { StatusIcon, statusColour, type ShownStatus } from '../../ui/status-icon.tsx'
import styles from './run-header.module.css'

export function RunHeader({ tab, session }: { tab: Exclude<Tab, { kind: 'file' }>; session: RunSession }) {
  const app = useApp()
  const view = useStore(session.view)
  const { info } = view.state
  const status = viewStatus(view)
  const shown = shownRunStatus(status, view.state.degraded)
  const script = info?.scriptPath ?? (tab.kind === 'dry' ? tab.path : null)
  return (
    <header className={styles['header']}>
      <div className={styles['top']}>
        <h2 className={styles['name']} title={info?.meta.description ?? tab.title}>
          {info?.title ?? info?.meta.name ?? tab.title}
        </h2>
        <RunBadges view={view} />
        <div className={styles['actions']}>
          {script !== null && (
            <Button look="plain" icon={<FileCode size={14} aria-hidden />} onClick={() => void app.openFile(script)}>
              Open script
            </Button>
          )}
          {tab.kind === 'run' && isLiveStatus(status) && (
            <Button
              look="danger"
              icon={<CircleStop size={14} aria-hidden />}
              onClick={() => app.openDialog({ kind: 'cancel', runId: tab.runId, tabId: tab.id })}
            >
              Cancel run
            </Button>
          )}
        </div>
      </div>
      <div className={styles['facts']}>
        <StatusIcon status={shown} size={15} />
        <span role="status" className={cx(styles['verdict'], statusColour(shown))}>
          {view.load.kind === 'loading' ? 'loading' : viewVerdict(view)}
        </span>
        <RunFacts view={view} live={isLiveStatus(status)} />
      </div>
    </header>
  )
}

/** A run that completed although something failed is shown as that. */
export function shownRunStatus(status: RunStatus, degraded: boolean): ShownStatus {
  return status === 'completed' && degraded ? 'degraded' : status
}

function RunBadges({ view }: { view: RunView }) {
  const { info } = view.state
  if (info === undefined) return null
  return (
    <>
      {info.dry ? (
        <Badge tone="replayed" title="Simulated on virtual time: no agent was started, nothing is kept.">
          Dry run
        </Badge>
      ) : (
        info.simulated && (
          <Badge tone="replayed" title="Answers are made up, no model was asked.">
            Simulated
          </Badge>
        )
      )}
      {info.resumedFrom !== null && <Badge title={`Resumes run ${info.resumedFrom}`}>Resumed</Badge>}
    </>
  )
}

function RunFacts({ view, live }: { view: RunView; live: boolean }) {
  const { state } = view
  const { info, usage } = state
  const open = state.running + state.queued
  const ended = state.agents.length - open
  return (
    <ul className={styles['list']}>
      {state.startedAt !== undefined && (
        <Fact title="Elapsed">
          <Elapsed start={state.startedAt} end={viewEnd(view)} live={live} />
        </Fact>
      )}
      {live && state.agents.length > 0 && (
        <Fact title={`${state.running} running, ${state.queued} queued`}>
          {ended} of {plural(state.agents.length, 'agent')} done
        </Fact>
      )}
      <Fact title={`${usage.outputTokens.toLocaleString('en-US')} output tokens`}>
        {formatCount(usage.outputTokens)} tokens
      </Fact>
      {usage.replayedOutputTokens > 0 && (
        <Fact title="Answered from an earlier run">{formatCount(usage.replayedOutputTokens)} replayed</Fact>
      )}
      {info?.budgetTokens != null && (
        <Fact title="Output tokens this run may use">budget {formatCount(info.budgetTokens)}</Fact>
      )}
      {usage.costUsd !== null && <Fact title="As reported by the back end">{formatCost(usage.costUsd)}</Fact>}
      {info !== undefined && !info.dry && <Fact title="Back end">{info.backend}</Fact>}
      {info !== undefined && starterOf(info.startedBy) !== undefined && (
        <Fact title="Who started it">{starterOf(info.startedBy)}</Fact>
      )}
    </ul>
  )
}

function Fact({ title, children }: { title: string; children: React.ReactNode }) {
  return <li title={title}>{children}</li>
}

/** Undefined for the user at this window: that goes without saying. */
function starterOf(starter: RunStarter): string | undefined {
  if (starter.kind === 'window' || starter.kind === 'browser') return undefined
  return `by ${starter.name ?? (starter.kind === 'cli' ? 'command line' : starter.kind)}`
}
