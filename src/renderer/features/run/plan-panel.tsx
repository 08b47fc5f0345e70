// What a dry run found out: what the live run would take, in which phases, along which chain of calls, and what it never reached.

import { plural, type DryRunPlan } from '../../../shared/index.ts'
import { fileNameOf } from '../../state/app-state.ts'
import { formatCost, formatCount, formatDuration } from '../../state/format.ts'
import type { RunSession } from '../../state/runs/run-session.ts'
import type { Tab } from '../../state/tabs/tabs.ts'
import { useApp } from '../../ui/app-context.tsx'
import { PanelHead } from '../../ui/panel-head.tsx'
import styles from './plan-panel.module.css'

interface PlanPanelProps {
  plan: DryRunPlan
  tab: Exclude<Tab, { kind: 'file' }>
  session: RunSession
}

export function PlanPanel({ plan, tab, session }: PlanPanelProps) {
  return (
    <section className={styles['panel']} aria-label="Plan">
      <PanelHead title="Plan of the live run" />
      <div className={styles['content']} tabIndex={0} role="group" aria-label="Plan details">
        <Estimate plan={plan} agents={session.view.getState().state.agents.length} />
        <Phases phases={plan.phases} />
        <LongestPath plan={plan} session={session} />
        {tab.kind === 'dry' && <Unreached plan={plan} path={tab.path} />}
      </div>
    </section>
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
      <dl className={styles['figures']}>
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
