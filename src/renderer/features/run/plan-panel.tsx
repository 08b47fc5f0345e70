// What a dry run found out: what the live run would take, in which phases, along which chain of calls, and what it never reached.

import { RotateCw, SlidersHorizontal } from 'lucide-react'
import { useStore } from 'zustand'
import { plural, type DryRunPlan, type PermissionAnswer } from '../../../shared/index.ts'
import { fileNameOf } from '../../state/app-state.ts'
import { formatCost, formatCount, formatDuration } from '../../state/format.ts'
import type { RunSession } from '../../state/runs/run-session.ts'
import type { RunningTab } from '../../state/tabs/tabs.ts'
import { useApp } from '../../ui/app-context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import figures from '../../ui/figures.module.css'
import { PanelHead } from '../../ui/panel-head.tsx'
import styles from './plan-panel.module.css'

interface PlanPanelProps {
  plan: DryRunPlan
  tab: RunningTab
  session: RunSession
}

export function PlanPanel({ plan, tab, session }: PlanPanelProps) {
  return (
    <section className={styles['panel']} aria-label="Plan">
      <PanelHead title="Plan of the live run">{tab.kind === 'dry' && <PlanActions path={tab.path} />}</PanelHead>
      <div className={styles['content']} tabIndex={0} role="group" aria-label="Plan details">
        <Estimate plan={plan} agents={session.view.getState().state.agents.length} />
        {tab.kind === 'dry' && <MadeHow plan={plan} path={tab.path} />}
        <Phases phases={plan.phases} />
        <LongestPath plan={plan} session={session} />
        <Permissions plan={plan} session={session} />
        {tab.kind === 'dry' && <Unreached plan={plan} path={tab.path} />}
      </div>
    </section>
  )
}

function PlanActions({ path }: { path: string }) {
  const app = useApp()
  const running = useStore(app.window, (state) => state.dryRunning.has(path))
  return (
    <>
      <IconButton label="Dry run options" onClick={() => app.openDialog({ kind: 'dry-run-options', path })}>
        <SlidersHorizontal size={14} aria-hidden />
      </IconButton>
      <IconButton label="Dry run again" aria-disabled={running} onClick={() => void app.dryRun(path)}>
        <RotateCw size={14} aria-hidden />
      </IconButton>
    </>
  )
}

/** What was out of the ordinary about it. */
function MadeHow({ plan, path }: { plan: DryRunPlan; path: string }) {
  const { dryRuns } = useApp()
  const { answers } = plan
  const facts = dryRuns.madeHow(path).filter((option) => answers === undefined || !option.startsWith('answers'))
  if (answers !== undefined)
    facts.push(`${plural(answers.calls, 'call')} answered from run ${answers.fromRun.slice(-6)}`)
  if (facts.length === 0) return null
  return <p className={styles['made']}>With {facts.join(' · ')}.</p>
}

const ANSWER_WORDS: Record<PermissionAnswer, string> = {
  'allow-once': 'allowed once',
  'allow-run': 'allowed for the run',
  reject: 'rejected',
}

function Permissions({ plan, session }: { plan: DryRunPlan; session: RunSession }) {
  const { permissions = [] } = plan
  if (permissions.length === 0) return null
  return (
    <div className={styles['section']}>
      <h3 title="A live run asks whoever watches it.">Permissions asked for</h3>
      <ul>
        {permissions.map(({ agent, label, title, answer }) => (
          <li key={`${agent} ${title}`}>
            <button type="button" className={styles['step']} onClick={() => session.tree.select(agent)}>
              <span className={styles['phaseName']} title={`${label}: ${title}`}>
                {title}
              </span>
              <span className={styles['number']}>{ANSWER_WORDS[answer]}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const BASIS: Record<DryRunPlan['estimate']['basis'], string> = {
  history: 'from earlier runs of this workflow',
  fixtures: 'from the fixtures file',
  default: 'from default durations: there is no earlier run to learn from',
}

function Estimate({ plan, agents }: { plan: DryRunPlan; agents: number }) {
  const { estimate } = plan
  const basis = estimate.basis === 'history' ? `from ${plural(estimate.runs, 'earlier run')}` : BASIS[estimate.basis]
  return (
    <div>
      <dl className={cx(figures['figures'], styles['figures'])}>
        <Figure name="Wall-clock" value={`≈ ${formatDuration(estimate.wallClockMs)}`} />
        <Figure name="Agents" value={String(agents)} />
        <Figure name="At once" value={String(plan.peakConcurrency)} />
        <Figure name="Output tokens" value={`≈ ${formatCount(estimate.outputTokens)}`} />
        <Figure name="Cost" value={estimate.costUsd === null ? 'unknown' : `≈ ${formatCost(estimate.costUsd)}`} />
      </dl>
      <p className={styles['note']}>Estimated {basis}.</p>
    </div>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Phases({ phases }: Pick<DryRunPlan, 'phases'>) {
  const total = Math.max(1, ...phases.map((phase) => phase.endMs))
  if (phases.length === 0) return null
  return (
    <div className={styles['section']}>
      <h3>Phases</h3>
      <ul>
        {phases.map((phase) => (
          <li key={`${phase.group} ${phase.title}`} className={styles['phase']}>
            <span className={styles['phaseName']} title={phase.title ?? 'No phase'}>
              {phase.title ?? 'No phase'}
            </span>
            <span className={styles['track']} aria-hidden>
              <span
                className={styles['span']}
                style={{
                  left: `${(100 * phase.startMs) / total}%`,
                  width: `max(2px, ${(100 * (phase.endMs - phase.startMs)) / total}%)`,
                }}
              />
            </span>
            <span className={styles['number']}>{phase.agents}×</span>
            <span className={styles['number']}>{formatDuration(phase.endMs - phase.startMs)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function LongestPath({ plan, session }: { plan: DryRunPlan; session: RunSession }) {
  if (plan.longestPath.length === 0) return null
  return (
    <div className={styles['section']}>
      <h3 title="Only making these faster makes the run faster.">Longest path</h3>
      <ol>
        {plan.longestPath.map((step) => (
          <li key={step.agent}>
            <button type="button" className={styles['step']} onClick={() => session.tree.select(step.agent)}>
              <span className={styles['phaseName']} title={step.label}>
                {step.label}
              </span>
              <span className={styles['number']}>{formatDuration(step.endMs - step.startMs)}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  )
}

function Unreached({ plan, path }: { plan: DryRunPlan; path: string }) {
  const app = useApp()
  if (plan.unreached.length === 0) return null
  return (
    <div className={styles['section']}>
      <h3>Never reached</h3>
      <ul>
        {plan.unreached.map((site) => (
          <li key={`${site.file} ${site.line}:${site.column}`}>
            <button type="button" className={styles['step']} onClick={() => void app.openFile(site.file ?? path, site)}>
              <span className={styles['code']} title={site.file}>
                {site.file !== undefined && `${fileNameOf(site.file)}:`}
                {site.line}:{site.column}
              </span>
              <span className={styles['phaseName']}>{site.what}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
