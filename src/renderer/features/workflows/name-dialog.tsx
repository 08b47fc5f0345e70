// Dialogs that ask for a workflow's name: a new one from a pattern, a copy, another name, a run's script kept as a workflow.

import { useRef, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { RunId } from '../../../shared/index.ts'
import { messageOf } from '../../state/message-of.ts'
import { PATTERNS } from '../../state/workflows/patterns.ts'
import { folderOf, noteOnName, refuseName, stemOf } from '../../state/workflows/workflow-names.ts'
import { shortPath } from '../../state/short-path.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import styles from './name-dialog.module.css'

interface NameDialogProps {
  title: string
  action: string
  /** Where the file goes. */
  folder: string
  initial: string
  children?: ReactNode
  onSubmit(name: string): Promise<void>
}

function NameDialog({ title, action, folder, initial, children, onSubmit }: NameDialogProps) {
  const app = useApp()
  const entries = useStore(app.workflows.store, (state) => state.entries)
  const [name, setName] = useState(initial)
  const [touched, setTouched] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const refusal = name === initial && initial !== '' && !touched ? undefined : refuseName(name, folder, entries)
  const submit = async (): Promise<void> => {
    setTouched(true)
    if (refuseName(name, folder, entries) !== undefined) return
    try {
      await onSubmit(name)
      app.closeDialog()
    } catch (error) {
      setFailure(messageOf(error))
    }
  }
  return (
    <Modal
      title={title}
      onClose={app.closeDialog}
      initialFocus={input}
      actions={
        <>
          <Button onClick={app.closeDialog}>Cancel</Button>
          <Button look="primary" onClick={() => void submit()}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Field
          label="Name"
          hint={noteOnName(name, folder, entries) ?? `Saved in ${shortPath(folder, app.workspace)}`}
          error={touched ? refusal : undefined}
        >
          {(ids) => (
            <input
              {...ids}
              ref={input}
              type="text"
              className={field['input']}
              spellCheck={false}
              autoComplete="off"
              value={name}
              placeholder="review-diff"
              onFocus={(event) => event.target.select()}
              onChange={(event) => {
                setTouched(true)
                setFailure(null)
                setName(event.target.value.trim())
              }}
            />
          )}
        </Field>
        {children}
        {failure !== null && (
          <p role="alert" className={field['error']}>
            {failure}
          </p>
        )}
      </form>
    </Modal>
  )
}

export function NewWorkflowDialog() {
  const { authoring } = useApp()
  const [chosen, setChosen] = useState('empty')
  const pattern = PATTERNS.find(({ id }) => id === chosen)
  return (
    <NameDialog
      title="New workflow"
      action="Create"
      folder={authoring.projectFolder}
      initial=""
      onSubmit={(name) => (pattern === undefined ? Promise.resolve() : authoring.create(name, pattern))}
    >
      <fieldset className={styles['patterns']}>
        <legend>Begin with</legend>
        {PATTERNS.map(({ id, title, description }) => (
          <label key={id} className={styles['pattern']}>
            <input type="radio" name="pattern" checked={id === chosen} onChange={() => setChosen(id)} />
            <span>
              <span className={styles['title']}>{title}</span>
              <span className={styles['description']}>{description}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </NameDialog>
  )
}

export function SaveAsDialog({ path }: { path: string }) {
  const { authoring } = useApp()
  return (
    <NameDialog
      title="Save as"
      action="Save"
      folder={authoring.folderFor(path)}
      initial={`${stemOf(path)}-copy`}
      onSubmit={(name) => authoring.saveAs(path, name)}
    />
  )
}

export function RenameDialog({ path }: { path: string }) {
  const { authoring } = useApp()
  return (
    <NameDialog
      title={`Rename ${stemOf(path)}`}
      action="Rename"
      folder={folderOf(path)}
      initial={stemOf(path)}
      onSubmit={(name) => authoring.rename(path, name)}
    >
      <p className={styles['note']}>
        Its fixtures and args schema go along, and the name in meta is changed with it. Unsaved text is saved.
      </p>
    </NameDialog>
  )
}

export function SaveRunScriptDialog({ runId, workflow }: { runId: RunId; workflow: string }) {
  const { authoring } = useApp()
  return (
    <NameDialog
      title="Save the run’s script as a workflow"
      action="Save"
      folder={authoring.projectFolder}
      initial={workflow}
      onSubmit={(name) => authoring.saveRunScript(runId, name)}
    />
  )
}
