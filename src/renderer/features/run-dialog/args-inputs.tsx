// The args form: one control a property of the schema.

import { isJsonObject, type JsonValue } from '../../../shared/index.ts'
import { valueText } from '../../state/value-text.ts'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import styles from './args-inputs.module.css'
import type { ArgsField } from './args-fields.ts'
import type { ArgsEntries } from './args-form.ts'

interface ArgsInputsProps {
  fields: readonly ArgsField[]
  entries: ArgsEntries
  errors: Readonly<Record<string, string>>
  /** Undefined takes the entry out. */
  onChange(key: string, entry: string | undefined): void
}

export function ArgsInputs({ fields, ...rest }: ArgsInputsProps) {
  return (
    <>
      {fields.map((known) => (
        <ArgsInput key={known.key} known={known} {...rest} />
      ))}
    </>
  )
}

type ArgsInputProps = Omit<ArgsInputsProps, 'fields'> & { known: ArgsField }

function ArgsInput({ known, ...rest }: ArgsInputProps) {
  switch (known.kind) {
    case 'group':
      return (
        <fieldset className={styles['group']}>
          <legend>{known.name}</legend>
          {known.description !== '' && <p className={field['hint']}>{known.description}</p>}
          <ArgsInputs fields={known.fields} {...rest} />
        </fieldset>
      )
    case 'choices':
      return <Choices known={known} choices={known.choices} {...rest} />
    case 'boolean':
      return <Switch known={known} {...rest} />
    default:
      return <Plain known={known} {...rest} />
  }
}

function labelOf({ name, required }: ArgsField): string {
  return required ? `${name} (needed)` : name
}

function hintOf(known: ArgsField): string {
  const notes = [known.description]
  if (known.kind === 'list') notes.push('One a line.')
  if (known.kind === 'json') notes.push('JSON.')
  return notes.filter((note) => note !== '').join(' ')
}

function Plain({ known, entries, errors, onChange }: ArgsInputProps) {
  const value = entries[known.key] ?? ''
  const change = (text: string): void => onChange(known.key, text === '' ? undefined : text)
  return (
    <Field label={labelOf(known)} hint={hintOf(known)} error={errors[known.key]}>
      {(ids) => {
        if (known.kind === 'choice')
          return (
            <select {...ids} className={field['select']} value={value} onChange={(event) => change(event.target.value)}>
              <option value="">{known.required ? 'Choose…' : 'Not given'}</option>
              {known.choices.map((choice) => (
                <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
                  {valueText(choice)}
                </option>
              ))}
            </select>
          )
        if (known.kind === 'list' || known.kind === 'json' || isLong(known))
          return (
            <textarea
              {...ids}
              className={field['code']}
              rows={3}
              spellCheck={false}
              value={value}
              onChange={(event) => change(event.target.value)}
            />
          )
        return (
          <input
            {...ids}
            type={known.kind === 'number' ? 'number' : 'text'}
            step="any"
            className={field['input']}
            value={value}
            onChange={(event) => change(event.target.value)}
          />
        )
      }}
    </Field>
  )
}

function Switch({ known, entries, errors, onChange }: ArgsInputProps) {
  return (
    <div className={styles['switch']}>
      <label>
        <input
          type="checkbox"
          checked={entries[known.key] === 'true'}
          onChange={(event) => onChange(known.key, String(event.target.checked))}
        />
        {known.name}
      </label>
      <p className={field['hint']}>{errors[known.key] ?? known.description}</p>
    </div>
  )
}

function Choices({ known, choices, entries, errors, onChange }: ArgsInputProps & { choices: readonly JsonValue[] }) {
  const chosen = readList(entries[known.key])
  const toggle = (choice: string, on: boolean): void => {
    const next = choices.filter((other) => (JSON.stringify(other) === choice ? on : chosen.has(JSON.stringify(other))))
    onChange(known.key, next.length === 0 ? undefined : JSON.stringify(next))
  }
  return (
    <fieldset className={styles['group']}>
      <legend>{labelOf(known)}</legend>
      {known.description !== '' && <p className={field['hint']}>{known.description}</p>}
      {choices.map((choice) => {
        const key = JSON.stringify(choice)
        return (
          <label key={key} className={styles['check']}>
            <input type="checkbox" checked={chosen.has(key)} onChange={(event) => toggle(key, event.target.checked)} />
            {valueText(choice)}
          </label>
        )
      })}
      {errors[known.key] !== undefined && <p className={field['error']}>{errors[known.key]}</p>}
    </fieldset>
  )
}

function readList(entry: string | undefined): Set<string> {
  if (entry === undefined) return new Set()
  const list: unknown = JSON.parse(entry)
  return new Set(Array.isArray(list) ? list.map((item) => JSON.stringify(item)) : [])
}

function isLong({ schema }: ArgsField): boolean {
  return isJsonObject(schema) && (schema['format'] === 'textarea' || Number(schema['maxLength'] ?? 0) > 200)
}
