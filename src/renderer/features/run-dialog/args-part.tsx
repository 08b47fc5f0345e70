// The args of a run: a form where the workflow says what it takes, and JSON as the other way.

import { useState } from 'react'
import type { JsonValue } from '../../../shared/index.ts'
import { parseArgs } from '../../state/workflows/dry-runs.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import { fieldsOf, type ArgsField } from './args-fields.ts'
import { entriesOf, NEEDED, readForm, type ArgsEntries, type ReadForm } from './args-form.ts'
import { ArgsInputs } from './args-inputs.tsx'
import styles from './args-inputs.module.css'

interface ArgsPartProps {
  schema: JsonValue | null
  /** The args as JSON text: what both ways write. */
  text: string
  error: string | undefined
  /** What the host found wrong, by JSON pointer. */
  refused: readonly { pointer: string; problem: string }[]
  /** `mistakes` is the number of wrong entries of the form. */
  onChange(text: string, mistakes: number): void
}

export function ArgsPart({ schema, text, error, refused, onChange }: ArgsPartProps) {
  const fields = fieldsOf(schema)
  const [entries, setEntries] = useState<ArgsEntries | null>(() => startEntries(fields, text))
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const asForm = fields !== null && entries !== null
  // What the form has no place for would be lost in it.
  const fits = fields !== null && (text.trim() === '' || startEntries(fields, text) !== null)

  if (asForm) {
    const { errors: all } = readForm(fields, entries)
    // What has not been touched yet is not scolded for being empty.
    const errors = {
      ...refusedFields(fields, refused),
      ...Object.fromEntries(Object.entries(all).filter(([key, problem]) => touched.has(key) || problem !== NEEDED)),
    }
    const change = (key: string, entry: string | undefined): void => {
      const { [key]: _before, ...others } = entries
      const next = entry === undefined ? others : { ...others, [key]: entry }
      setEntries(next)
      setTouched(new Set([...touched, key]))
      const read = readForm(fields, next)
      onChange(toText(read), Object.keys(read.errors).length)
    }
    return (
      <section className={styles['args']} aria-label="Args form">
        <div className={styles['head']}>
          Args
          <Button look="plain" onClick={() => setEntries(null)}>
            Edit as JSON
          </Button>
        </div>
        <ArgsInputs fields={fields} entries={entries} errors={errors} onChange={change} />
      </section>
    )
  }
  return (
    <div className={styles['args']}>
      <Field label="Args" hint="JSON. Left empty, the script sees undefined." error={error}>
        {(ids) => (
          <textarea
            {...ids}
            className={field['code']}
            rows={5}
            spellCheck={false}
            value={text}
            placeholder={'{ "topic": "…" }'}
            onChange={(event) => onChange(event.target.value, 0)}
          />
        )}
      </Field>
      {fields !== null && (
        <div>
          <Button
            aria-disabled={!fits || undefined}
            title={fits ? undefined : 'These args hold what the form has no field for.'}
            onClick={() => {
              const start = startEntries(fields, text)
              if (start === null) return
              setEntries(start)
              onChange(text, Object.keys(readForm(fields, start).errors).length)
            }}
          >
            Fill in a form
          </Button>
        </div>
      )}
    </div>
  )
}

/** The host's words at the field they are about, or at the group that holds the place. */
function refusedFields(fields: readonly ArgsField[], refused: ArgsPartProps['refused']): Record<string, string> {
  return Object.fromEntries(
    leavesOf(fields).flatMap(({ key, path }) => {
      const pointer = path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
      const found = refused.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))
      return found === undefined ? [] : [[key, `It ${found.problem}.`]]
    }),
  )
}

function leavesOf(fields: readonly ArgsField[]): ArgsField[] {
  return fields.flatMap((known) => (known.kind === 'group' ? leavesOf(known.fields) : [known]))
}

function startEntries(fields: readonly ArgsField[] | null, text: string): ArgsEntries | null {
  if (fields === null) return null
  const value = parseArgs(text)
  return value === undefined && text.trim() !== '' ? null : entriesOf(fields, value)
}

function toText({ args }: ReadForm): string {
  return JSON.stringify(args, null, 2)
}

/** What the dialog starts with: the text last used, or what the schema's defaults make. */
export function startArgs(schema: JsonValue | null, text: string): { text: string; mistakes: number } {
  const fields = fieldsOf(schema)
  const entries = startEntries(fields, text)
  if (fields === null || entries === null) return { text, mistakes: 0 }
  const read = readForm(fields, entries)
  return { text: text.trim() === '' ? toText(read) : text, mistakes: Object.keys(read.errors).length }
}
