// The whole window when there is nothing else to show: the host can't be reached or speaks another version.

import { messageOf } from '../state/message-of.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function FailureScreen({ error }: { error: unknown }) {
  return (
    <EmptyState
      title="Weft could not start"
      actions={
        <Button look="primary" onClick={() => location.reload()}>
          Try again
        </Button>
      }
    >
      {messageOf(error)}
    </EmptyState>
  )
}
