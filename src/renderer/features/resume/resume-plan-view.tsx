// A resume plan: how many calls are of each fate, what that saves and costs, why the first one runs, and each call.

import { useRef } from 'react'
import type { AgentStatus, FieldChange, PlannedCall, ResumePlan, ResumeReason } from '../../../shared/index.ts'
import { formatCount } from '../../state/format.ts'
import { Badge } from '../../ui/badge.tsx'
import difference from '../../ui/changes.module.css'
import { cx } from '../../ui/cx.ts'
import figures from '../../ui/figures.module.css'
import { useVirtual } from '../../ui/use-virtual.ts'
import styles from './resume-dialog.module.css'

export function ResumePlanView({ plan, stale }: { plan: ResumePlan; stale: boolean }) {
  const first = plan.calls.find((call) => call.agent === plan.firstRun)
  return (
    <section className={cx(styles['plan'], stale && styles['stale'])} aria-label="Resume plan" aria-busy={stale}>
      <dl className={cx(figures['figures'], styles['figures'])}>
        <Figure name="Replayed" value={String(plan.replays)} title="Answered from the earlier run" />
        <Figure name="Run" value={String(plan.runs)} title="Run for certain" />
        <Figure name="Depend" value={String(plan.depends)} title="Depend on answers that nobody knows yet" />
        <Figure
          name="Tokens saved"
          value={formatCount(plan.replayedOutputTokens)}
          title={`${plan.replayedOutputTokens.toLocaleString('en-US')} output tokens are not paid for again`}
        />
        <Figure
          name="Tokens to pay"
          value={`≈ ${formatCount(plan.estimatedOutputTokens)}`}
          title={`≈ ${plan.estimatedOutputTokens.toLocaleString('en-US')} output tokens, estimated`}
        />
      </dl>
      {first === undefined ? (
        <p className={styles['notes']}>Every call is answered from the earlier run: no agent is started.</p>
      ) : (
        <FirstRun call={first} />
      )}
      <Calls calls={plan.calls} />
      <Notes plan={plan} />
    </section>
  )
}

function Figure({ name, value, title }: { name: string; value: string; title: string }) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function FirstRun({ call }: { call: PlannedCall }) {
  return (
    <div className={styles['why']}>
      <h3>The first call that runs</h3>
      <p>
        {call.label}
        {call.reason && <>: {describeReason(call.reason)}</>}
      </p>
      {call.reason?.kind === 'changed' && <Changes changes={call.reason.changes} />}
    </div>
  )
}

function Changes({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <dl>
      {changes.map(({ field, before, after }) => (
        <div key={field} className={styles['change']}>
          <dt>{field.replace(/^options\./, '')}</dt>
          <dd className={difference['before']}>
            <span className="unseen">before: </span>− {before ?? 'nothing'}
          </dd>
          <dd className={difference['after']}>
            <span className="unseen">now: </span>+ {after ?? 'nothing'}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const TONES = { replays: 'replayed', runs: 'running', depends: 'neutral' } as const
const WORDS = { replays: 'replayed', runs: 'runs', depends: 'depends' }
const ROW_HEIGHT = 26
const MOST_ROWS = 7

function Calls({ calls }: { calls: readonly PlannedCall[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtual({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  })
  return (
    <div className={styles['calls']}>
      <h3>Calls</h3>
      <div
        ref={scroller}
        className={styles['list']}
        style={{ height: Math.min(calls.length, MOST_ROWS) * ROW_HEIGHT + 2 }}
        tabIndex={0}
        role="group"
        aria-label="Planned calls"
      >
        <ol className={styles['sizer']} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const call = calls[item.index]
            return (
              call && (
                <li key={item.key} className={styles['call']} style={{ transform: `translateY(${item.start}px)` }}>
                  <span className={styles['label']} title={call.label}>
                    {call.label}
                  </span>
                  <span className={styles['reason']}>{reasonOf(call)}</span>
                  <Badge tone={TONES[call.fate]}>{WORDS[call.fate]}</Badge>
                </li>
              )
            )
          })}
        </ol>
      </div>
    </div>
  )
}

function reasonOf({ reason, movedFrom }: PlannedCall): string {
  if (reason !== undefined) return describeReason(reason)
  return movedFrom === undefined ? '' : `was at ${movedFrom}`
}

const PAST: Record<AgentStatus, string> = {
  queued: 'it had not begun',
  running: 'it had not finished',
  completed: 'its answer is not kept',
  replayed: 'its answer is not kept',
  failed: 'it failed before',
  skipped: 'it was skipped before',
  cancelled: 'it was cancelled before',
}

function describeReason(reason: ResumeReason): string {
  switch (reason.kind) {
    case 'unfinished':
      return reason.error === undefined ? PAST[reason.status] : `${PAST[reason.status]}: ${reason.error}`
    case 'changed':
      return `changed: ${reason.changes.map(({ field }) => field.replace(/^options\./, '')).join(', ')}`
    case 'new':
      return 'it is new'
  }
}

function Notes({ plan }: { plan: ResumePlan }) {
  const notes = [
    ...(plan.unused > 0
      ? [`${plan.unused} finished ${plan.unused === 1 ? 'call' : 'calls'} of the earlier run will not be used.`]
      : []),
    ...plan.notes,
  ]
  if (notes.length === 0) return null
  return (
    <ul className={styles['notes']}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
