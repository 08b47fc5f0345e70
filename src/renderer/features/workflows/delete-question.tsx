// Asks before a workflow's files are deleted.

import { useRef } from 'react'
import { messageOf } from '../../state/message-of.ts'
import { stemOf } from '../../state/workflows/workflow-names.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Question } from '../../ui/dialog.tsx'

export function DeleteWorkflowQuestion({ path }: { path: string }) {
  const app = useApp()
  const keep = useRef<HTMLButtonElement>(null)
  const remove = (): void => {
    app.closeDialog()
    app.authoring.remove(path).catch((error: unknown) => app.notices.error(messageOf(error)))
  }
  return (
    <Question
      title={`Delete ${stemOf(path)}?`}
      onClose={app.closeDialog}
      initialFocus={keep}
      actions={
        <>
          <Button ref={keep} onClick={app.closeDialog}>
            Keep it
          </Button>
          <Button look="danger" onClick={remove}>
            Delete
          </Button>
        </>
      }
    >
      {path} is deleted from the disk for good, and the fixtures and args schema beside it. Runs of it stay in the
      history.
    </Question>
  )
}
