// One branch of an agent: what it holds, and what may be done with it.

import { useState } from 'react'
import type { AgentBranch } from '../../../shared/index.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { RefusableButton } from '../../ui/refusable-button.tsx'
import styles from './branches.module.css'

interface BranchItemProps {
  branch: AgentBranch
  workspace: string
  /** The branch it would be merged into; null when none is checked out. */
  current: string | null
  shown: boolean
  onDiff(): void
  /** Something was done: the list is out of date. */
  onChanged(): void
}

export function BranchItem({ branch, workspace, current, shown, onDiff, onChanged }: BranchItemProps) {
  const { branches } = useApp()
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const act = (work: Promise<boolean>): void => {
    setBusy(true)
    void work.then((done) => {
      setBusy(false)
      setAsked(false)
      if (done) onChanged()
    })
  }
  const { name, subject, merged, folder } = branch
  const wait = busy ? 'Git is at work.' : null
  return (
    <li className={styles['item']} aria-label={name}>
      <div className={styles['name']}>
        {name}
        <CopyButton label={`Copy the name of ${name}`} read={() => name} />
      </div>
      <div className={styles['dim']}>
        {subject} · {merged ? 'merged' : 'not merged'}
      </div>
      {folder !== null && (
        <div className={styles['name']}>
          <span className={styles['dim']}>open in {folder}</span>
          <CopyButton label={`Copy the folder of ${name}`} read={() => folder} />
        </div>
      )}
      {asked ? (
        <DropQuestion
          branch={branch}
          refusal={wait}
          onKeep={() => setAsked(false)}
          onDrop={() => act(branches.drop(workspace, branch))}
        />
      ) : (
        <div className={styles['buttons']} role="group" aria-label={`Actions on ${name}`}>
          <Button aria-pressed={shown} onClick={onDiff}>
            Diff
          </Button>
          <RefusableButton refusal={wait} onClick={() => act(branches.open(workspace, name))}>
            Open
          </RefusableButton>
          <RefusableButton
            refusal={wait ?? refuseMerge(branch, current)}
            title={`Merges it into ${current ?? 'the checked-out branch'}`}
            onClick={() => act(branches.merge(workspace, name))}
          >
            Merge
          </RefusableButton>
          <RefusableButton look="danger" refusal={wait} onClick={() => setAsked(true)}>
            Drop
          </RefusableButton>
        </div>
      )}
    </li>
  )
}

function refuseMerge({ merged }: AgentBranch, current: string | null): string | null {
  if (current === null) return 'No branch is checked out in the workspace.'
  return merged ? `${current} holds all of it already.` : null
}

interface DropQuestionProps {
  branch: AgentBranch
  refusal: string | null
  onKeep(): void
  onDrop(): void
}

function DropQuestion({ branch: { name, merged }, refusal, onKeep, onDrop }: DropQuestionProps) {
  return (
    <div className={styles['buttons']} role="group" aria-label={`Drop ${name}?`}>
      <span className={styles['question']}>
        {merged ? 'Drop it? Its changes are merged.' : 'Drop it? It is not merged: its changes would be lost.'}
      </span>
      <Button autoFocus onClick={onKeep}>
        Keep it
      </Button>
      <RefusableButton look="danger" refusal={refusal} onClick={onDrop}>
        Drop branch
      </RefusableButton>
    </div>
  )
}
