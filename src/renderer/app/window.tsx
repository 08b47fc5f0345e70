// The window's layout: sidebar, tabs, the active tab's view, the panel below it, the status bar.

import { useStore } from 'zustand'
import { ApprovalDialogs } from '../features/approvals/approval-dialog.tsx'
import { CompareTab } from '../features/compare/compare-tab.tsx'
import { DiffTab } from '../features/editor/diff-tab.tsx'
import { EditorTab } from '../features/editor/editor-tab.tsx'
import { Problems } from '../features/editor/problems.tsx'
import { NoticeList } from '../features/notices/notice-list.tsx'
import { LogPanel } from '../features/run/log-panel.tsx'
import { ResultPanel } from '../features/run/result-panel.tsx'
import { RunTab } from '../features/run/run-tab.tsx'
import { RunNav } from '../features/runs/run-nav.tsx'
import { SettingsTab } from '../features/settings/settings-tab.tsx'
import { StatusBar } from '../features/status-bar/status-bar.tsx'
import { WorkflowNav } from '../features/workflows/workflow-nav.tsx'
import type { RunSession } from '../state/runs/run-session.ts'
import type { Tab } from '../state/tabs/tabs.ts'
import { useApp } from '../ui/app-context.tsx'
import { Split, SplitHandle, SplitPanel } from '../ui/split.tsx'
import { Dialogs } from './dialogs.tsx'
import { TabStrip } from './tab-strip.tsx'
import { useCommands } from './use-commands.ts'
import { Welcome } from './welcome.tsx'
import styles from './window.module.css'

export function Window() {
  const app = useApp()
  useCommands(app)
  return (
    <div className={styles['window']}>
      <main className={styles['body']}>
        <h1 className="unseen">Weft, {app.workspace}</h1>
        <Split id="window" orientation="horizontal" panelIds={['sidebar', 'centre']}>
          <SplitPanel
            id="sidebar"
            defaultSize={260}
            minSize={160}
            maxSize="50%"
            groupResizeBehavior="preserve-pixel-size"
          >
            <Split id="sidebar" orientation="vertical" panelIds={['workflows', 'runs']}>
              <SplitPanel id="workflows" minSize={72}>
                <WorkflowNav />
              </SplitPanel>
              <SplitHandle label="Height of the workflows" />
              <SplitPanel id="runs" minSize={72}>
                <RunNav />
              </SplitPanel>
            </Split>
          </SplitPanel>
          <SplitHandle label="Width of the sidebar" />
          <SplitPanel id="centre" minSize={320}>
            <Centre />
          </SplitPanel>
        </Split>
      </main>
      <StatusBar />
      <NoticeList />
      <Dialogs />
      <ApprovalDialogs />
    </div>
  )
}

function Centre() {
  const app = useApp()
  const { tabs, active } = useStore(app.tabs)
  const tab = tabs.find(({ id }) => id === active)
  const session = tab === undefined ? undefined : app.sessions.of(tab)
  const hasPanel = tab?.kind === 'file' || session !== undefined
  return (
    <div className={styles['centre']}>
      {tab === undefined ? (
        <Welcome />
      ) : (
        <>
          <TabStrip />
          <Split id="centre" orientation="vertical" panelIds={hasPanel ? ['view', 'panel'] : ['view']}>
            <SplitPanel id="view" minSize={120}>
              <div id="tab-content" className={styles['view']} role="tabpanel" aria-label={tab.title}>
                <EditorTab path={tab.kind === 'file' ? tab.path : null} />
                {(tab.kind === 'run' || tab.kind === 'dry') && session && (
                  <RunTab key={tab.id} tab={tab} session={session} />
                )}
                {tab.kind === 'diff' && <DiffTab key={tab.id} tab={tab} />}
                {tab.kind === 'settings' && <SettingsTab />}
                {tab.kind === 'compare' && <CompareTab key={tab.id} tab={tab} />}
              </div>
            </SplitPanel>
            {hasPanel && <SplitHandle label="Height of the panel" />}
            {hasPanel && (
              <SplitPanel
                id="panel"
                defaultSize={200}
                minSize={64}
                collapsible
                collapsedSize={0}
                groupResizeBehavior="preserve-pixel-size"
              >
                <BottomPanel tab={tab} session={session} />
              </SplitPanel>
            )}
          </Split>
        </>
      )}
    </div>
  )
}

function BottomPanel({ tab, session }: { tab: Tab; session: RunSession | undefined }) {
  if (tab.kind === 'file') return <Problems path={tab.path} />
  if (session === undefined) return null
  return (
    <Split id="panel" orientation="horizontal" panelIds={['log', 'result']}>
      <SplitPanel id="log" minSize={160}>
        <LogPanel session={session} />
      </SplitPanel>
      <SplitHandle label="Width of the log" />
      <SplitPanel id="result" minSize={160}>
        <ResultPanel session={session} />
      </SplitPanel>
    </Split>
  )
}
