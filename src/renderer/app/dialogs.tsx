// The dialog that is open, if any.

import { useRef } from 'react'
import { useStore } from 'zustand'
import { plural, type RunId } from '../../shared/index.ts'
import { BranchesDialog } from '../features/branches/branches-dialog.tsx'
import { CompareDialog } from '../features/compare/compare-dialog.tsx'
import { Palette } from '../ui/palette/palette.tsx'
import { ResumeDialog } from '../features/resume/resume-dialog.tsx'
import { RunDialog } from '../features/run-dialog/run-dialog.tsx'
import { DryRunOptions } from '../features/run-dialog/dry-run-options.tsx'
import { ShortcutsSheet } from '../features/shortcuts/shortcuts-sheet.tsx'
import { CompareScriptPalette } from '../features/workflows/compare-script.tsx'
import { DeleteWorkflowQuestion } from '../features/workflows/delete-question.tsx'
import {
  NewWorkflowDialog,
  RenameDialog,
  SaveAsDialog,
  SaveRunScriptDialog,
} from '../features/workflows/name-dialog.tsx'
import { fileNameOf } from '../state/app-state.ts'
import { useApp } from '../ui/app-context.tsx'
import { Button } from '../ui/button.tsx'
import { Question } from '../ui/dialog.tsx'
import { shortcutText } from '../ui/shortcut-text.ts'
import { shortcutHere } from '../state/shortcuts.ts'
import { COMMANDS } from './commands.ts'
import { runCommand } from './use-commands.ts'

export function Dialogs() {
  const app = useApp()
  const dialog = useStore(app.window, (state) => state.dialog)
  switch (dialog?.kind) {
    case 'run':
      return <RunDialog path={dialog.path} />
    case 'cancel':
      return <CancelQuestion runId={dialog.runId} tabId={dialog.tabId} />
    case 'resume':
      return <ResumeDialog key={dialog.runId} runId={dialog.runId} />
    case 'compare':
      return <CompareDialog runId={dialog.runId} />
    case 'delete':
      return <DeleteQuestion runId={dialog.runId} />
    case 'branches':
      return <BranchesDialog {...dialog} />
    case 'new-workflow':
      return <NewWorkflowDialog />
    case 'save-as':
      return <SaveAsDialog path={dialog.path} />
    case 'rename-workflow':
      return <RenameDialog path={dialog.path} />
    case 'delete-workflow':
      return <DeleteWorkflowQuestion path={dialog.path} />
    case 'save-run-script':
      return <SaveRunScriptDialog runId={dialog.runId} workflow={dialog.workflow} />
    case 'compare-script':
      return <CompareScriptPalette path={dialog.path} />
    case 'dry-run-options':
      return <DryRunOptions path={dialog.path} />
    case 'shortcuts':
      return <ShortcutsSheet />
    case 'close':
      return <CloseQuestion tabId={dialog.tabId} />
    case 'palette':
      return dialog.mode === 'commands' ? <CommandPalette /> : <QuickOpen />
    case undefined:
      return null
  }
}

function CancelQuestion({ runId, tabId }: { runId: RunId; tabId: string }) {
  const app = useApp()
  const keep = useRef<HTMLButtonElement>(null)
  const tab = app.tabs.getState().tabs.find(({ id }) => id === tabId)
  const state = tab && app.sessions.of(tab)?.view.getState().state
  return (
    <Question
      title="Cancel this run?"
      onClose={app.closeDialog}
      initialFocus={keep}
      actions={
        <>
          <Button ref={keep} onClick={app.closeDialog}>
            Keep running
          </Button>
          <Button
            look="danger"
            onClick={() => {
              app.closeDialog()
              void app.steering.cancel(runId)
            }}
          >
            Cancel run
          </Button>
        </>
      }
    >
      {state === undefined
        ? 'Its agents are stopped.'
        : `${plural(state.running, 'running agent')} will be stopped, ${state.queued} queued will not start. Finished results are kept.`}
    </Question>
  )
}

function DeleteQuestion({ runId }: { runId: RunId }) {
  const app = useApp()
  const keep = useRef<HTMLButtonElement>(null)
  const row = app.runs.find(runId)
  return (
    <Question
      title={`Delete this run${row === undefined ? '' : ` of ${row.title ?? row.workflow}`}?`}
      onClose={app.closeDialog}
      initialFocus={keep}
      actions={
        <>
          <Button ref={keep} onClick={app.closeDialog}>
            Keep
          </Button>
          <Button
            look="danger"
            onClick={() => {
              app.closeDialog()
              void app.deleteRun(runId)
            }}
          >
            Delete run
          </Button>
        </>
      }
    >
      Its events, answers and result are gone for good: it can’t be shown, resumed or compared any more. Export it first
      to keep a copy.
    </Question>
  )
}

function CloseQuestion({ tabId }: { tabId: string }) {
  const app = useApp()
  const save = useRef<HTMLButtonElement>(null)
  const tab = app.tabs.getState().tabs.find(({ id }) => id === tabId)
  if (tab?.kind !== 'file') return null
  return (
    <Question
      title={`Save the changes to ${tab.title}?`}
      onClose={app.closeDialog}
      initialFocus={save}
      actions={
        <>
          <Button
            look="danger"
            onClick={() => {
              app.closeDialog()
              app.close(tabId)
            }}
          >
            Don’t save
          </Button>
          <Button onClick={app.closeDialog}>Keep editing</Button>
          <Button
            ref={save}
            look="primary"
            onClick={() => {
              app.closeDialog()
              void app.save(tab.path).then((saved) => saved && app.close(tabId))
            }}
          >
            Save
          </Button>
        </>
      }
    >
      What you typed is lost if you don’t save it.
    </Question>
  )
}

function CommandPalette() {
  const app = useApp()
  const entries = COMMANDS.filter((command) => command.id !== 'command-palette' && command.isEnabled(app)).map(
    (command) => {
      const { id, title } = command
      const shortcut = shortcutHere(command)
      return { id, title, ...(shortcut !== undefined && { detail: shortcutText(shortcut) }) }
    },
  )
  return (
    <Palette
      title="Command palette"
      placeholder="Type a command"
      entries={entries}
      onClose={app.closeDialog}
      onChoose={(id) => {
        app.closeDialog()
        const command = COMMANDS.find((known) => known.id === id)
        // The palette gives the focus back first.
        if (command) setTimeout(() => runCommand(app, command.id))
      }}
    />
  )
}

function QuickOpen() {
  const app = useApp()
  const { entries } = useStore(app.workflows.store)
  return (
    <Palette
      title="Quick open"
      placeholder="Open a workflow by name"
      entries={entries.map(({ name, path }) => ({
        id: path,
        title: name === fileNameOf(path) ? name : `${name} — ${fileNameOf(path)}`,
        detail: path,
      }))}
      onClose={app.closeDialog}
      onChoose={(path) => {
        app.closeDialog()
        void app.openFile(path)
      }}
    />
  )
}
