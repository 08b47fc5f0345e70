// A harness asks to run a script: what it is, what it would do, and the user's answer. Its words are shown as plain text.

import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { cutText, type ApprovalAnswer, type JsonValue, type PendingApproval } from '../../../shared/index.ts'
import { messageOf } from '../../state/message-of.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import { estimateText, type Estimate } from '../../state/workflows/estimate-text.ts'
import styles from './approvals.module.css'

const LONGEST_REASON = 300
/** UTF-16 units: enough to see what it is about. */
const SHOWN_ARGS = 4000

const ScriptView = lazy(() => import('./script-view.tsx'))

/** The oldest that waits and was not put aside. */
export function ApprovalDialogs() {
  const { approvals } = useApp()
  const { pending, aside } = useStore(approvals.store)
  const waiting = pending.filter(({ id }) => !aside.has(id))
  const [first] = waiting
  return first === undefined ? null : <ApprovalDialog key={first.id} approval={first} more={waiting.length - 1} />
}

function ApprovalDialog({ approval, more }: { approval: PendingApproval; more: number }) {
  const { approvals } = useApp()
  const later = useRef<HTMLButtonElement>(null)
  const [sent, setSent] = useState(false)
  const estimate = useApprovalEstimate(approval)
  const [reason, setReason] = useState('')
  const { workflow, clientName, workspace, meta, script, args, nested } = approval
  const answer = (choice: ApprovalAnswer): void => {
    setSent(true)
    void approvals.answer(approval, choice, reason)
  }
  const putAside = (): void => approvals.putAside(approval.id)
  return (
    <Modal
      title={`Let ${clientName ?? 'a harness'} run “${workflow}”?`}
      wide
      // Whoever types when it appears must not have allowed anything.
      initialFocus={later}
      onClose={putAside}
      note={more > 0 ? `${more} more ${more === 1 ? 'waits' : 'wait'}` : undefined}
      actions={
        <>
          <Button ref={later} onClick={putAside}>
            Decide later
          </Button>
          <Button look="danger" disabled={sent} onClick={() => answer('deny')}>
            Deny
          </Button>
          <Button look="primary" disabled={sent} onClick={() => answer('allow')}>
            Allow
          </Button>
        </>
      }
    >
      <p className={styles['who']}>
        {meta.description} It would run in {workspace}.
      </p>
      {(meta.phases ?? []).length > 0 && (
        <ol className={styles['phases']} aria-label="Phases">
          {meta.phases?.map(({ title, detail }) => (
            <li key={title}>
              {title} {detail !== undefined && <span className={styles['dim']}>{detail}</span>}
            </li>
          ))}
        </ol>
      )}
      <p className={styles['dim']} role="status">
        {estimateText(estimate)}
      </p>
      {args !== undefined && <Args text={writeArgs(args)} />}
      <Source title={script.fileName} text={script.text} />
      {nested.map(({ name, text }) => (
        <Source key={name} title={`It calls ${name}`} text={text} />
      ))}
      <p className={styles['dim']}>
        Allowed once, the same script with the same nested workflows is not asked about again. A refusal starts nothing
        and is not remembered.
      </p>
      <Field label="Reason for a refusal" hint="Told to the harness with it. May be left empty.">
        {(props) => (
          <input
            {...props}
            className={field['input']}
            maxLength={LONGEST_REASON}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
    </Modal>
  )
}

/** As the harness gave them; the beginning of many. */
function Args({ text }: { text: string }) {
  const shown = cutText(text, SHOWN_ARGS)
  return (
    <section aria-label="Args">
      <p className={styles['heading']}>Args</p>
      <pre className={styles['args']} tabIndex={0}>
        {shown}
      </pre>
      {shown.length < text.length && (
        <p className={styles['dim']}>{(text.length - shown.length).toLocaleString('en-US')} more characters.</p>
      )}
    </section>
  )
}

const writeArgs = (args: JsonValue): string => JSON.stringify(args, null, 2)

function Source({ title, text }: { title: string; text: string }) {
  return (
    <section aria-label={title}>
      <p className={styles['heading']}>{title}</p>
      <Suspense fallback={<div className={styles['script']} />}>
        <ScriptView text={text} label={title} />
      </Suspense>
    </section>
  )
}

function useApprovalEstimate(approval: PendingApproval): Estimate {
  const { approvals } = useApp()
  const [estimate, setEstimate] = useState<Estimate>({ kind: 'asking' })
  useEffect(() => {
    let current = true
    const settle = (next: Estimate): void => {
      if (current) setEstimate(next)
    }
    approvals.estimate(approval).then(
      (reply) => settle({ kind: 'known', reply }),
      (error: unknown) => settle({ kind: 'failed', message: messageOf(error) }),
    )
    return () => {
      current = false
    }
  }, [approvals, approval])
  return estimate
}
