// The branches that a run's agents left: looked at, opened, merged, dropped.

import { useCallback, useEffect, useState } from 'react'
import { plural, type BranchDiff, type RunId } from '../../../shared/index.ts'
import type { RunBranches } from '../../state/branches/branches.ts'
import { messageOf } from '../../state/message-of.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/dialog.tsx'
import { BranchItem } from './branch-item.tsx'
import styles from './branches.module.css'
import { PatchView } from './patch-view.tsx'

interface BranchesDialogProps {
  runId: RunId
  workspace: string
  /** Those that the run's rows name. */
  named: readonly string[]
  /** Shown at once. */
  first: string | null
}

export function BranchesDialog({ runId, workspace, named, first }: BranchesDialogProps) {
  const app = useApp()
  const { list, error, reload } = useRunBranches(workspace, runId, named)
  const [shown, setShown] = useState(first)
  return (
    <Modal
      title="Branches"
      wide
      onClose={app.closeDialog}
      note={workspace}
      actions={<Button onClick={app.closeDialog}>Close</Button>}
    >
      {error !== null && <p className={styles['error']}>{error}</p>}
      {list !== null && (
        <>
          <ul className={styles['list']} aria-label="Branches of this run">
            {list.branches.map((branch) => (
              <BranchItem
                key={branch.name}
                branch={branch}
                workspace={workspace}
                current={list.current}
                shown={shown === branch.name}
                onDiff={() => setShown(shown === branch.name ? null : branch.name)}
                onChanged={reload}
              />
            ))}
          </ul>
          {list.branches.length === 0 && (
            <p className={styles['dim']}>None is left: what its agents changed was dropped, or there was nothing.</p>
          )}
          {list.left.map(({ path, reason }) => (
            <p key={path} className={styles['dim']}>
              A worktree is left in {path}: {reason}.
            </p>
          ))}
          {list.branches.some(({ name }) => name === shown) && shown !== null && (
            <BranchDiffView key={shown} workspace={workspace} branch={shown} />
          )}
        </>
      )}
    </Modal>
  )
}

function useRunBranches(workspace: string, runId: RunId, named: readonly string[]) {
  const { branches } = useApp()
  const [state, setState] = useState<{ list: RunBranches | null; error: string | null }>({ list: null, error: null })
  const reload = useCallback(() => {
    branches.list(workspace, runId, named).then(
      (list) => setState({ list, error: null }),
      (error: unknown) => setState({ list: null, error: messageOf(error) }),
    )
  }, [branches, workspace, runId, named])
  useEffect(reload, [reload])
  return { ...state, reload }
}

function BranchDiffView({ workspace, branch }: { workspace: string; branch: string }) {
  const { branches } = useApp()
  const [read, setRead] = useState<BranchDiff | string | null>(null)
  useEffect(() => {
    let current = true
    branches.diff(workspace, branch).then(
      (diff) => current && setRead(diff),
      (error: unknown) => current && setRead(messageOf(error)),
    )
    return () => {
      current = false
    }
  }, [branches, workspace, branch])
  if (read === null) return null
  if (typeof read === 'string') return <p className={styles['error']}>{read}</p>
  return (
    <section className={styles['diff']} aria-label={`Changes of ${branch}`}>
      <p className={styles['dim']}>
        {plural(read.files.length, 'file')} changed since {read.base.slice(0, 10)}
        {read.cut && ', the beginning of it'}
      </p>
      <PatchView patch={read.patch} label={`Patch of ${branch}`} />
    </section>
  )
}
