// How the file's dry runs are made: failures, seed, answers, permissions. Kept for the next ones.

import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import { formatAgo } from '../../state/format.ts'
import { checkDryRunForm, STANDARD_DRY_RUN, type DryRunForm } from '../../state/workflows/dry-run-options.ts'
import { dryTab } from '../../state/tabs/tabs.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import styles from './args-inputs.module.css'

export function DryRunOptions({ path }: { path: string }) {
  const app = useApp()
  const [form, setForm] = useState<DryRunForm>(() => app.dryRuns.formOf(path))
  const [calls, setCalls] = useState(form.failCalls.join('\n'))
  const rate = useRef<HTMLInputElement>(null)
  const document = useStore(app.documents.store, (all) => all.get(path))
  const runs = useStore(app.runs.store, (state) => state.rows)
  const own = runs.filter(({ workflow, scriptPath }) => scriptPath === path || workflow === document?.meta?.name)
  const labels = [
    ...new Set(
      app.sessions
        .of(dryTab(path, ''))
        ?.view.getState()
        .state.agents.map(({ label }) => label),
    ),
  ]
  const { errors } = checkDryRunForm(form)
  const change = (part: Partial<DryRunForm>): void => setForm((before) => ({ ...before, ...part }))
  const changeCalls = (text: string): void => {
    setCalls(text)
    change({ failCalls: text.split('\n').filter((line) => line.trim() !== '') })
  }
  const keep = (): void => {
    app.dryRuns.rememberForm(path, form)
    app.closeDialog()
  }
  const wrong = Object.keys(errors).length > 0
  return (
    <Modal
      title={`Dry run options of ${document?.fileName ?? path}`}
      onClose={app.closeDialog}
      initialFocus={rate}
      note={
        <Button
          look="plain"
          onClick={() => {
            setForm(STANDARD_DRY_RUN)
            setCalls('')
          }}
        >
          Reset
        </Button>
      }
      actions={
        <>
          <Button disabled={wrong} onClick={keep}>
            Keep
          </Button>
          <Button
            look="primary"
            disabled={wrong}
            onClick={() => {
              keep()
              void app.dryRun(path)
            }}
          >
            Dry run
          </Button>
        </>
      }
    >
      <div className={field['pair']}>
        <Field label="Failing calls (%)" hint="Picked by their keys and the seed." error={errors.failRate}>
          {(ids) => (
            <input
              {...ids}
              ref={rate}
              type="number"
              min={0}
              max={100}
              step={10}
              className={field['input']}
              value={form.failRate}
              onChange={(event) => change({ failRate: event.target.value })}
            />
          )}
        </Field>
        <Field label="Seed" hint="Other seeds, other answers and failures." error={errors.seed}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              min={0}
              className={field['input']}
              value={form.seed}
              onChange={(event) => change({ seed: event.target.value })}
            />
          )}
        </Field>
      </div>
      {labels.length > 0 && (
        <fieldset className={styles['group']}>
          <legend>Calls of the last dry run that fail</legend>
          <div className={styles['calls']}>
            {labels.map((label) => (
              <label key={label} className={styles['check']}>
                <input
                  type="checkbox"
                  checked={form.failCalls.includes(label)}
                  onChange={({ target }) => {
                    const others = form.failCalls.filter((call) => call !== label)
                    changeCalls((target.checked ? [...others, label] : others).join('\n'))
                  }}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <Field label="Calls that fail" hint="Labels or call paths, one a line.">
        {(ids) => (
          <textarea
            {...ids}
            className={field['code']}
            rows={2}
            spellCheck={false}
            value={calls}
            onChange={(event) => changeCalls(event.target.value)}
          />
        )}
      </Field>
      <Field label="Answers from" hint="Fixtures come first; what neither has is made up.">
        {(ids) => (
          <select
            {...ids}
            className={field['select']}
            value={form.answersFromRun}
            onChange={(event) => change({ answersFromRun: event.target.value })}
          >
            <option value="">Made up from each call’s schema</option>
            {own.map(({ runId, workflow, title, status, startedAt }) => (
              <option key={runId} value={runId}>
                {`${title ?? workflow}, ${status}, ${formatAgo(startedAt, app.clock.now())}`}
              </option>
            ))}
            {form.answersFromRun !== '' && own.every(({ runId }) => runId !== form.answersFromRun) && (
              <option value={form.answersFromRun}>{form.answersFromRun}</option>
            )}
          </select>
        )}
      </Field>
      <Field label="When agents ask for permission" hint="The plan lists what was asked.">
        {(ids) => (
          <select
            {...ids}
            className={field['select']}
            value={form.permissions}
            onChange={(event) => change({ permissions: event.target.value === 'reject' ? 'reject' : 'allow-once' })}
          >
            <option value="allow-once">Allow once</option>
            <option value="reject">Reject</option>
          </select>
        )}
      </Field>
    </Modal>
  )
}
