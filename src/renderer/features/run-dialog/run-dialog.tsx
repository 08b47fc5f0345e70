// What a run is started with: args, back end, budget. The dry run's estimate stands beside the button.

import { LoaderCircle } from 'lucide-react'
import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { BackendInfo } from '../../../shared/index.ts'
import { describeRefusal } from '../../state/runs/run-actions.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import spin from '../../ui/spin.module.css'
import { checkForm, type RunForm } from './run-form.ts'
import { estimateText, useEstimate } from './use-estimate.ts'

export function RunDialog({ path }: { path: string }) {
  const app = useApp()
  const fileName = useStore(app.documents.store, (documents) => documents.get(path)?.fileName ?? path)
  const { backends } = useStore(app.window)
  const [form, setForm] = useState<RunForm>({ args: app.argsFor(path), backend: '', budget: '', concurrency: '' })
  const [starting, setStarting] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const argsField = useRef<HTMLTextAreaElement>(null)
  const { request, errors } = checkForm(form)
  const estimate = useEstimate(app, path, errors.args === undefined ? request.args : null)
  const change = (part: Partial<RunForm>): void => {
    setFailure(null)
    setForm((before) => ({ ...before, ...part }))
  }

  const start = async (): Promise<void> => {
    if (Object.keys(errors).length > 0) return
    app.rememberArgs(path, form.args)
    setStarting(true)
    try {
      await app.startRun(path, request)
      app.closeDialog()
    } catch (error) {
      setFailure(describeRefusal(error))
      setStarting(false)
    }
  }

  const close = (): void => {
    // A dry run takes the args too, so they are kept even when nothing is started.
    if (errors.args === undefined) app.rememberArgs(path, form.args)
    app.closeDialog()
  }

  return (
    <Modal
      title={`Run ${fileName}`}
      onClose={close}
      initialFocus={argsField}
      note={estimateText(estimate)}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            look="primary"
            disabled={starting || Object.keys(errors).length > 0}
            icon={starting && <LoaderCircle size={14} aria-hidden className={spin['spin']} />}
            onClick={() => void start()}
          >
            Run
          </Button>
        </>
      }
    >
      <Field label="Args" hint="JSON. Left empty, the script sees undefined." error={errors.args}>
        {(ids) => (
          <textarea
            {...ids}
            ref={argsField}
            className={field['code']}
            rows={5}
            spellCheck={false}
            value={form.args}
            placeholder={'{ "topic": "…" }'}
            onChange={(event) => change({ args: event.target.value })}
          />
        )}
      </Field>
      <Field label="Back end" hint={backendHint(backends, form.backend)}>
        {(ids) => (
          <select
            {...ids}
            className={field['select']}
            value={form.backend}
            onChange={(event) => change({ backend: event.target.value })}
          >
            <option value="">{defaultName(backends)}</option>
            {backends.map(({ id, available, detail }) => (
              <option key={id} value={id} disabled={!available}>
                {available ? id : `${id} (${detail ?? 'not available'})`}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className={field['pair']}>
        <Field label="Budget" hint="Output tokens; empty for no limit." error={errors.budget}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              min={1}
              step={1000}
              className={field['input']}
              value={form.budget}
              onChange={(event) => change({ budget: event.target.value })}
            />
          )}
        </Field>
        <Field label="Concurrency" hint="Agents at once; empty for the default." error={errors.concurrency}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              min={1}
              max={256}
              className={field['input']}
              value={form.concurrency}
              onChange={(event) => change({ concurrency: event.target.value })}
            />
          )}
        </Field>
      </div>
      {failure !== null && (
        <p role="alert" className={field['error']}>
          {failure}
        </p>
      )}
    </Modal>
  )
}

function defaultName(backends: readonly BackendInfo[]): string {
  const standard = backends.find((backend) => backend.isDefault)
  return standard === undefined ? 'Default' : `Default (${standard.id})`
}

function backendHint(backends: readonly BackendInfo[], chosen: string): string | undefined {
  const backend = backends.find(({ id, isDefault }) => (chosen === '' ? isDefault : id === chosen))
  if (backend === undefined) return undefined
  const notes: string[] = []
  if (backend.detail !== null) notes.push(backend.detail)
  if (backend.capabilities.usage === 'none') notes.push('reports no usage: a budget cannot bind')
  return notes.join(' · ') || undefined
}
