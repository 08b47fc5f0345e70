// What a run is started with: args, back end, budget. The dry run's estimate stands beside the button.

import { LoaderCircle } from 'lucide-react'
import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import { plural, type BackendInfo } from '../../../shared/index.ts'
import { argsViolations, describeRefusal } from '../../state/runs/run-actions.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import spin from '../../ui/spin.module.css'
import { ArgsPart, startArgs } from './args-part.tsx'
import styles from './args-inputs.module.css'
import { checkForm, EMPTY_FORM, type RunForm } from '../../state/runs/run-form.ts'
import { estimateText } from '../../state/workflows/estimate-text.ts'
import { useEstimate } from './use-estimate.ts'

/** What args are typed into: the first of them takes the focus, not a button beside them. */
const FIELDS = 'input, select, textarea'

export function RunDialog({ path }: { path: string }) {
  const app = useApp()
  const fileName = useStore(app.documents.store, (documents) => documents.get(path)?.fileName ?? path)
  const { backends } = useStore(app.window)
  const schema = useStore(
    app.workflows.store,
    ({ entries }) => entries.find((entry) => entry.path === path)?.argsSchema ?? null,
  )
  const [initial] = useState(() => startArgs(schema, app.dryRuns.argsFor(path)))
  const [form, setForm] = useState<RunForm>({ ...EMPTY_FORM, args: initial.text })
  const [mistakes, setMistakes] = useState(initial.mistakes)
  const [starting, setStarting] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [refused, setRefused] = useState<ReturnType<typeof argsViolations>>([])
  const argsPart = useRef<HTMLDivElement>(null)
  const { request, errors } = checkForm(form)
  const isWrong = mistakes > 0 || Object.keys(errors).length > 0
  const estimate = useEstimate(app, path, errors.args === undefined && mistakes === 0 ? request.args : null)
  const change = (part: Partial<RunForm>): void => {
    setFailure(null)
    setRefused([])
    setForm((before) => ({ ...before, ...part }))
  }

  const start = async (): Promise<void> => {
    if (isWrong) return
    app.dryRuns.rememberArgs(path, form.args)
    setStarting(true)
    try {
      await app.startRun(path, request)
      app.closeDialog()
    } catch (error) {
      setFailure(describeRefusal(error))
      setRefused(argsViolations(error))
      setStarting(false)
    }
  }

  const close = (): void => {
    // A dry run takes the args too, so they are kept even when nothing is started.
    if (errors.args === undefined) app.dryRuns.rememberArgs(path, form.args)
    app.closeDialog()
  }

  return (
    <Modal
      title={`Run ${fileName}`}
      onClose={close}
      initialFocus={() => argsPart.current?.querySelector<HTMLElement>(FIELDS) ?? true}
      note={mistakes > 0 ? `${plural(mistakes, 'field')} to put right` : estimateText(estimate)}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            look="primary"
            disabled={starting || isWrong}
            icon={starting && <LoaderCircle size={14} aria-hidden className={spin['spin']} />}
            onClick={() => void start()}
          >
            Run
          </Button>
        </>
      }
    >
      <div ref={argsPart}>
        <ArgsPart
          schema={schema}
          text={form.args}
          error={errors.args}
          refused={refused}
          onChange={(args, wrong) => {
            setMistakes(wrong)
            change({ args })
          }}
        />
      </div>
      {isSimulated(backends, form.backend) && (
        <p className={styles['simulated']}>
          <Badge tone="replayed">Simulated</Badge> Answers are made up: no model is asked, nothing is paid.
        </p>
      )}
      <Field label="Back end" hint={backendHint(backends, form.backend)}>
        {(ids) => (
          <select
            {...ids}
            className={field['select']}
            value={form.backend}
            onChange={(event) => change({ backend: event.target.value })}
          >
            <option value="">{defaultName(backends)}</option>
            {backends.map(({ id, kind, available, detail }) => (
              <option key={id} value={id} disabled={!available}>
                {available ? nameBackend(id, kind) : `${id} (${detail ?? 'not available'})`}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className={styles['trio']}>
        <CountField
          label="Budget"
          hint="Output tokens."
          step={1000}
          error={errors.budget}
          value={form.budget}
          onChange={(budget) => change({ budget })}
        />
        <CountField
          label="Concurrency"
          hint="Agents at once."
          error={errors.concurrency}
          value={form.concurrency}
          onChange={(concurrency) => change({ concurrency })}
        />
        <CountField
          label="Most agents"
          hint="In all, at most 1,000."
          error={errors.maxAgents}
          value={form.maxAgents ?? ''}
          onChange={(maxAgents) => change({ maxAgents })}
        />
      </div>
      <Field label="Model" hint="For agents that name none; empty for the back end’s own.">
        {(ids) => (
          <input
            {...ids}
            type="text"
            className={field['input']}
            spellCheck={false}
            value={form.model ?? ''}
            onChange={(event) => change({ model: event.target.value })}
          />
        )}
      </Field>
      {failure !== null && (
        <p role="alert" className={field['error']}>
          {failure}
        </p>
      )}
    </Modal>
  )
}

function chosenBackend(backends: readonly BackendInfo[], chosen: string): BackendInfo | undefined {
  return backends.find(({ id, isDefault }) => (chosen === '' ? isDefault : id === chosen))
}

function isSimulated(backends: readonly BackendInfo[], chosen: string): boolean {
  return chosenBackend(backends, chosen)?.kind === 'simulated'
}

function nameBackend(id: string, kind: string): string {
  return kind === 'simulated' && id !== kind ? `${id} (simulated)` : id
}

interface CountFieldProps {
  label: string
  hint: string
  step?: number
  value: string
  error: string | undefined
  onChange(value: string): void
}

function CountField({ label, hint, step = 1, value, error, onChange }: CountFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          min={1}
          step={step}
          className={field['input']}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function defaultName(backends: readonly BackendInfo[]): string {
  const standard = backends.find((backend) => backend.isDefault)
  return standard === undefined ? 'Default' : `Default (${standard.id})`
}

function backendHint(backends: readonly BackendInfo[], chosen: string): string | undefined {
  const backend = chosenBackend(backends, chosen)
  if (backend === undefined) return undefined
  const notes: string[] = []
  if (backend.detail !== null) notes.push(backend.detail)
  if (backend.capabilities.usage === 'none') notes.push('reports no usage: a budget cannot bind')
  return notes.join(' · ') || undefined
}
