// What a run is and how it stands: the verdict in words, never better than the facts.

import { CirclePause, CirclePlay, CircleStop, ChartGantt, FileCode, GitBranch, RotateCw } from 'lucide-react'
import { useStore } from 'zustand'
import { describeCost, plural, type RunStatus } from '../../../shared/index.ts'
import { formatClockTime, formatCost, formatCount, formatTicking } from '../../state/format.ts'
import type { RunSession } from '../../state/runs/run-session.ts'
import { starterOf } from '../../state/runs/starter.ts'
import { isLiveStatus, viewEnd, viewStatus, viewVerdict, type RunView } from '../../state/runs/run-view.ts'
import type { RunningTab } from '../../state/tabs/tabs.ts'
import { wantsResume } from '../../state/runs/run-controls.ts'
import { commandShortcut } from '../../state/shortcuts.ts'
import { useApp, useTimeText } from '../../ui/app-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Elapsed } from '../../ui/elapsed.tsx'
import { StatusIcon, statusColour, type ShownStatus } from '../../ui/status-icon.tsx'
import { shortcutText } from '../../ui/shortcut-text.ts'
import styles from './run-header.module.css'
import { RunMenu } from '../../ui/run-menu.tsx'

export function RunHeader({ tab, session }: { tab: RunningTab; session: RunSession }) {
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
          {tab.kind === 'run' && view.state.agents.some(({ branch }) => branch !== undefined) && (
            <Button look="plain" icon={<GitBranch size={14} aria-hidden />} onClick={() => app.openBranches(tab)}>
              Branches
            </Button>
          )}
          <TimelineToggle />
          {tab.kind === 'run' && <RunButtons tab={tab} view={view} />}
          {tab.kind === 'run' && <RunMenu tab={tab} view={view} />}
        </div>
      </div>
      <div className={styles['facts']}>
        <StatusIcon status={shown} size={15} />
        <span role="status" className={cx(styles['verdict'], statusColour(shown))}>
          {view.load.kind === 'loading' ? 'loading' : viewVerdict(view)}
        </span>
        {view.state.paused?.until !== undefined && status === 'paused' && <GoesOn at={view.state.paused.until} />}
        <RunFacts view={view} live={isLiveStatus(status)} />
      </div>
    </header>
  )
}

function TimelineToggle() {
  const { layout } = useApp()
  const shown = useStore(layout.store, ({ timeline }) => timeline)
  return (
    <IconButton
      label="Show timeline"
      title={withKeys(shown ? 'Hide the timeline' : 'Show the timeline', 'toggle-timeline')}
      aria-pressed={shown}
      onClick={layout.toggleTimeline}
    >
      <ChartGantt size={15} aria-hidden />
    </IconButton>
  )
}

function RunButtons({ tab, view }: { tab: Extract<RunningTab, { kind: 'run' }>; view: RunView }) {
  const app = useApp()
  const status = viewStatus(view)
  const { runId } = tab
  if (!isLiveStatus(status)) {
    return (
      wantsResume(view) && (
        <Button
          look="primary"
          icon={<RotateCw size={14} aria-hidden />}
          title="Shows first what is answered from this run and what runs again"
          onClick={() => app.openDialog({ kind: 'resume', runId })}
        >
          Resume
        </Button>
      )
    )
  }
  return (
    <>
      {status === 'paused' ? (
        <Button
          look="primary"
          icon={<CirclePlay size={14} aria-hidden />}
          title={withKeys('Starts what is queued again', 'continue-run')}
          onClick={() => void app.steering.continue(runId)}
        >
          Continue
        </Button>
      ) : (
        <Button
          icon={<CirclePause size={14} aria-hidden />}
          title={withKeys('Running agents finish, queued ones wait', 'pause-run')}
          onClick={() => void app.steering.pause(runId, view.state)}
        >
          Pause
        </Button>
      )}
      <Button
        look="danger"
        icon={<CircleStop size={14} aria-hidden />}
        onClick={() => app.openDialog({ kind: 'cancel', runId, tabId: tab.id })}
      >
        Cancel run
      </Button>
    </>
  )
}

function withKeys(text: string, command: Parameters<typeof commandShortcut>[0]): string {
  const keys = commandShortcut(command)
  return keys === undefined ? text : `${text} (${shortcutText(keys)})`
}

/** When a run that waits for a limit goes on by itself. */
function GoesOn({ at }: { at: number }) {
  const left = useTimeText(true, (now) => (at <= now ? 'any moment now' : `in ${formatTicking(at - now)}`))
  return (
    <span className={styles['until']}>
      goes on at {formatClockTime(at)}, {left}
    </span>
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
  const cost = describeCost(usage, formatCost)
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
      {cost !== null && <Fact title="As reported by the back end, or by its prices">{cost}</Fact>}
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
