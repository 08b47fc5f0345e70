// A run tab: the verdict on top, the tree below it, and beside it the agent that is selected or the plan of a dry run.

import { useStore } from 'zustand'
import type { RunSession } from '../../state/runs/run-session.ts'
import type { RunningTab } from '../../state/tabs/tabs.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Split, SplitHandle, SplitPanel } from '../../ui/split.tsx'
import { useApp } from '../../ui/app-context.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { AgentPanel } from './agent-panel.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { RunHeader } from './run-header.tsx'
import { RunTree } from './run-tree.tsx'
import styles from './run-tab.module.css'

export function RunTab({ tab, session }: { tab: RunningTab; session: RunSession }) {
  const load = useStore(session.view, (view) => view.load)
  const plan = useStore(session.view, (view) => view.plan)
  const selected = useStore(session.tree.store, (tree) => tree.selected)
  if (load.kind === 'failed') {
    return <EmptyState title="This run can't be shown">{load.message}</EmptyState>
  }
  const side = selected !== undefined ? 'agent' : plan === null ? null : 'plan'
  return (
    <div className={styles['tab']}>
      <RunHeader tab={tab} session={session} />
      <div className={styles['body']}>
        <Split id="run" orientation="horizontal" panelIds={side === null ? ['tree'] : ['tree', side]}>
          <SplitPanel id="tree" minSize={260}>
            <Main session={session} />
          </SplitPanel>
          {side !== null && <SplitHandle label="Width of the side panel" />}
          {side !== null && (
            <SplitPanel key={side} id={side} minSize={240} defaultSize={side === 'agent' ? '42%' : '34%'}>
              {selected !== undefined ? (
                <AgentPanel tab={tab} session={session} agent={selected} />
              ) : (
                plan !== null && <PlanPanel plan={plan} tab={tab} session={session} />
              )}
            </SplitPanel>
          )}
        </Split>
      </div>
    </div>
  )
}

function Main({ session }: { session: RunSession }) {
  const { layout } = useApp()
  const timeline = useStore(layout.store, (state) => state.timeline)
  const begun = useStore(session.view, (view) => view.state.agents.length > 0)
  const shown = timeline && begun
  return (
    <Split id="run-main" orientation="vertical" panelIds={shown ? ['rows', 'timeline'] : ['rows']}>
      <SplitPanel id="rows" minSize={80}>
        <RunTree session={session} />
      </SplitPanel>
      {shown && <SplitHandle label="Height of the timeline" />}
      {shown && (
        <SplitPanel id="timeline" minSize={96} defaultSize="42%">
          <Timeline session={session} />
        </SplitPanel>
      )}
    </Split>
  )
}
