// The dialogs of an author's actions.

import type { RunId } from '../../../shared/index.ts'

export type AuthorDialog =
  | { kind: 'new-workflow' }
  | { kind: 'save-as'; path: string }
  | { kind: 'rename-workflow'; path: string }
  | { kind: 'delete-workflow'; path: string }
  | { kind: 'save-run-script'; runId: RunId; workflow: string }
  | { kind: 'compare-script'; path: string }
  | { kind: 'dry-run-options'; path: string }
  | { kind: 'shortcuts' }
