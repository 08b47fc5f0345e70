// Going on from an earlier run: what is answered from it, what runs, why, and what that costs. Then go.

import { LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { RunId } from '../../../shared/index.ts'
import { messageOf } from '../../state/message-of.ts'
import type { EarlierRun } from '../../state/runs/resuming.ts'
import { describeRefusal } from '../../state/runs/run-actions.ts'
import { shortPath } from '../../state/short-path.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import spin from '../../ui/spin.module.css'
import { checkResume, formOf, type CheckedResume, type ResumeForm } from './resume-form.ts'
import styles from './resume-dialog.module.css'
import { ResumePlanView } from './resume-plan-view.tsx'
import { useResumePlan } from './use-resume-plan.ts'

export function ResumeDialog({ runId }: { runId: RunId }) {
  const app = useApp()
  const [earlier, setEarlier] = useState<EarlierRun>()
  useEffect(() => {
    app.resuming.read(runId).then(setEarlier, (error: unknown) => {
      app.closeDialog()
      app.notices.error(`The run can't be resumed: ${messageOf(error)}`)
    })
  }, [app, runId])
  return earlier === undefined ? null : <ResumeForm runId={runId} earlier={earlier} />
}

function ResumeForm({ runId, earlier }: { runId: RunId; earlier: EarlierRun }) {
  const app = useApp()
  const [form, setForm] = useState(() => formOf(earlier))
  const [starting, setStarting] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const go = useRef<HTMLButtonElement>(null)
  const { request, errors } = checkResume(form, earlier)
  const valid = Object.keys(errors).length === 0
  const planned = useResumePlan(app, runId, earlier, valid ? request : null)

  const start = async (): Promise<void> => {
    setStarting(true)
    try {
      await app.resumeRun(runId, earlier, request)
      app.closeDialog()
    } catch (error) {
      setRefusal(describeRefusal(error))
      setStarting(false)
    }
  }
  const failure = refusal ?? planned.failure
  return (
    <Modal
      title={`Resume ${earlier.title ?? earlier.workflow}`}
      onClose={app.closeDialog}
      initialFocus={go}
      wide
      note={planned.planning ? 'Planning…' : planned.plan === null ? '' : 'A new run; the earlier one stays as it is.'}
      actions={
        <>
          <Button onClick={app.closeDialog}>Cancel</Button>
          <Button
            ref={go}
            look="primary"
            aria-disabled={!valid || starting || failure !== null || undefined}
            icon={starting && <LoaderCircle size={14} aria-hidden className={spin['spin']} />}
            onClick={() => valid && !starting && failure === null && void start()}
          >
            Resume
          </Button>
        </>
      }
    >
      <Fields
        earlier={earlier}
        form={form}
        errors={errors}
        change={(part) => {
          setRefusal(null)
          setForm((before) => ({ ...before, ...part }))
        }}
      />
      {failure !== null && (
        <p role="alert" className={field['error']}>
          {failure}
        </p>
      )}
      {planned.plan !== null && failure === null && <ResumePlanView plan={planned.plan} stale={planned.planning} />}
    </Modal>
  )
}

interface FieldsProps {
  earlier: EarlierRun
  form: ResumeForm
  errors: CheckedResume['errors']
  change(part: Partial<ResumeForm>): void
}

function Fields({ earlier, form, errors, change }: FieldsProps) {
  const { window, workspace } = useApp()
  const { backends } = useStore(window)
  const { scriptPath, fileName } = earlier
  return (
    <div className={styles['fields']}>
      <Field
        label="Script"
        hint={
          scriptPath === null
            ? 'The run was given its script as text: there is no file.'
            : shortPath(scriptPath, workspace)
        }
      >
        {(ids) => (
          <select
            {...ids}
            className={field['select']}
            value={form.script}
            onChange={({ target }) => change({ script: target.value === 'file' ? 'file' : 'same' })}
          >
            <option value="same">As the run had it</option>
            <option value="file" disabled={scriptPath === null}>
              {fileName} as it is now
            </option>
          </select>
        )}
      </Field>
      <Field label="Back end">
        {(ids) => (
          <select
            {...ids}
            className={field['select']}
            value={form.backend}
            onChange={({ target }) => change({ backend: target.value })}
          >
            <option value="">As before ({earlier.backend})</option>
            {backends
              .filter(({ id }) => id !== earlier.backend)
              .map(({ id, available, detail }) => (
                <option key={id} value={id} disabled={!available}>
                  {available ? id : `${id} (${detail ?? 'not available'})`}
                </option>
              ))}
          </select>
        )}
      </Field>
      <Field label="Args" hint="JSON. Left empty, the script sees undefined." error={errors.args}>
        {(ids) => (
          <textarea
            {...ids}
            className={field['code']}
            rows={3}
            spellCheck={false}
            value={form.args}
            onChange={({ target }) => change({ args: target.value })}
          />
        )}
      </Field>
      <Field label="Budget" hint="Output tokens; empty for no limit. Replayed ones are free." error={errors.budget}>
        {(ids) => (
          <input
            {...ids}
            type="number"
            min={1}
            step={1000}
            className={field['input']}
            value={form.budget}
            onChange={({ target }) => change({ budget: target.value })}
          />
        )}
      </Field>
    </div>
  )
}
