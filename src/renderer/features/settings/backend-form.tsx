// One back end's fields: those of the kinds this form knows, and JSON for any other.

import { useRef, useState } from 'react'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/index.ts'
import { violationsOf } from '../../state/settings/settings-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import { backendOf, draftOf, type BackendDraft } from './backend-draft.ts'
import styles from './settings.module.css'

interface BackendFormProps {
  /** Empty for a new one. */
  id: string
  backend: JsonValue | undefined
  taken: readonly string[]
  violations: readonly string[]
  onCancel(): void
  onKeep(id: string, backend: JsonObject): void
}

export function BackendForm({ id, backend, taken, violations, onCancel, onKeep }: BackendFormProps) {
  const [name, setName] = useState(id)
  const [draft, setDraft] = useState<BackendDraft>(() => draftOf(id, backend))
  const [tried, setTried] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const change = (part: Partial<BackendDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const read = backendOf(draft, isJsonObject(backend) ? backend : {})
  const nameError =
    name === '' ? 'Give it a name.' : name !== id && taken.includes(name) ? 'There is one of that name.' : undefined
  const refused = tried ? violationsOf(violations, ['backends', name]) : []
  const keep = (): void => {
    setTried(true)
    if (nameError === undefined && 'value' in read) onKeep(name, read.value)
  }
  return (
    <form
      className={styles['backendForm']}
      aria-label={id === '' ? 'New back end' : `Back end ${id}`}
      onSubmit={(event) => {
        event.preventDefault()
        keep()
      }}
    >
      <div className={field['pair']}>
        <Field label="Name" error={tried ? nameError : undefined}>
          {(ids) => (
            <input
              {...ids}
              ref={first}
              type="text"
              className={field['input']}
              spellCheck={false}
              disabled={id === 'simulated'}
              value={name}
              onChange={(event) => setName(event.target.value.trim())}
            />
          )}
        </Field>
        <Field label="Kind">
          {(ids) => (
            <select
              {...ids}
              className={field['select']}
              value={draft.kind}
              disabled={id === 'simulated'}
              onChange={({ target }) => change({ kind: kindOf(target.value) })}
            >
              <option value="command">Command (JSON lines)</option>
              <option value="simulated">Simulated</option>
              <option value="other">Other, as JSON</option>
            </select>
          )}
        </Field>
      </div>
      {draft.kind === 'command' && (
        <>
          <TextField
            label="Command"
            hint="Program and arguments, one a line; started without a shell."
            value={draft.command}
            onChange={(command) => change({ command })}
          />
          <TextField
            label="Environment"
            hint="NAME=value, one a line. No secrets: the file is plain text."
            value={draft.env}
            onChange={(env) => change({ env })}
          />
        </>
      )}
      {draft.kind === 'simulated' && (
        <div className={field['pair']}>
          <NumberField
            label="Seed"
            hint="Other seeds, other answers."
            value={draft.seed}
            onChange={(seed) => change({ seed })}
          />
          <NumberField
            label="Failing share"
            hint="0 to 1."
            value={draft.failRate}
            onChange={(failRate) => change({ failRate })}
          />
        </div>
      )}
      {draft.kind === 'other' && (
        <TextField
          label="Back end as JSON"
          hint="An object with a kind."
          value={draft.json}
          onChange={(json) => change({ json })}
        />
      )}
      {tried && ('error' in read || refused.length > 0) && (
        <p role="alert" className={field['error']}>
          {'error' in read ? read.error : refused.join('; ')}
        </p>
      )}
      <div className={styles['formFoot']}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button look="primary" onClick={keep}>
          Keep back end
        </Button>
      </div>
    </form>
  )
}

interface TextProps {
  label: string
  hint: string
  value: string
  onChange(value: string): void
}

function TextField({ label, hint, value, onChange }: TextProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <textarea
          {...ids}
          className={field['code']}
          rows={3}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function NumberField({ label, hint, value, onChange }: TextProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          step="any"
          min={0}
          className={field['input']}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function kindOf(text: string): BackendDraft['kind'] {
  return text === 'simulated' || text === 'other' ? text : 'command'
}
