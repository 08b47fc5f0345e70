// One setting: taken over when its control is left or chosen, its refusal below it.

import { useState } from 'react'
import { useStore } from 'zustand'
import type { JsonValue } from '../../../shared/index.ts'
import { valueAt, violationsOf, type SettingsField } from '../../state/settings/settings-fields.ts'
import { valueText } from '../../state/value-text.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import styles from './settings.module.css'

export function SettingsInput({ known }: { known: SettingsField }) {
  const { settings } = useApp()
  const state = useStore(settings.store)
  const value = valueAt(state.settings, known.path)
  const saved = value === undefined ? '' : Array.isArray(value) ? value.map(valueText).join(', ') : valueText(value)
  // What was typed stays where it was refused.
  const [typed, setTyped] = useState<string | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const { input } = known
  const refused = typed === null ? [] : violationsOf(state.violations, known.path)

  const take = async (text: string): Promise<void> => {
    if (text === saved) {
      setTyped(null)
      return
    }
    const next = read(input, text)
    if (next === null) {
      setWrong(`Not a number: ${text}`)
      return
    }
    if (await settings.set(known.path, next.value)) setTyped(null)
  }

  return (
    <div className={styles['row']}>
      <Field label={known.label} hint={known.hint} error={wrong ?? refused[0]}>
        {(ids) =>
          input.kind === 'choice' ? (
            <select
              {...ids}
              className={field['select']}
              value={saved}
              onChange={(event) => void settings.set(known.path, choiceOf(input, event.target.value))}
            >
              <option value="">{input.standard}</option>
              {input.choices.map(({ value: choice, label }) => (
                <option key={valueText(choice)} value={valueText(choice)}>
                  {label}
                </option>
              ))}
            </select>
          ) : (
            <input
              {...ids}
              type={input.kind === 'number' ? 'number' : 'text'}
              step="any"
              min={input.kind === 'number' ? input.min : undefined}
              max={input.kind === 'number' ? input.max : undefined}
              className={field['input']}
              placeholder={input.standard}
              value={typed ?? saved}
              onChange={(event) => {
                setWrong(null)
                setTyped(event.target.value)
              }}
              onBlur={(event) => void take(event.target.value.trim())}
              onKeyDown={(event) => event.key === 'Enter' && void take(event.currentTarget.value.trim())}
            />
          )
        }
      </Field>
    </div>
  )
}

function choiceOf(input: Extract<SettingsField['input'], { kind: 'choice' }>, text: string): JsonValue | undefined {
  return input.choices.find(({ value }) => valueText(value) === text)?.value
}

/** Null for what is no number where one belongs; an empty text takes the setting out. */
function read(input: SettingsField['input'], text: string): { value: JsonValue | undefined } | null {
  if (text === '') return { value: undefined }
  if (input.kind === 'names') return { value: text.split(/\s*,\s*/).filter((name) => name !== '') }
  if (input.kind !== 'number') return { value: text }
  const number = Number(text)
  return Number.isFinite(number) ? { value: number } : null
}
