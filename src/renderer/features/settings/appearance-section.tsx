// How this window looks: kept in the window, not in the file that all faces share.

import { useStore } from 'zustand'
import { FONT_SIZES } from '../../state/settings/preferences.ts'
import type { ThemeChoice } from '../../state/settings/theme.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Field } from '../../ui/field.tsx'
import field from '../../ui/field.module.css'
import styles from './settings.module.css'

const THEMES: readonly { value: ThemeChoice; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function AppearanceSection() {
  const { theme, preferences } = useApp()
  const choice = useStore(theme.store, (state) => state.choice)
  const { fontSize, dryRunOnSave } = useStore(preferences.store)
  return (
    <section className={styles['section']} aria-label="This window">
      <h3>This window</h3>
      <div className={styles['row']}>
        <Field label="Theme">
          {(ids) => (
            <select
              {...ids}
              className={field['select']}
              value={choice}
              onChange={({ target }) =>
                theme.choose(THEMES.find(({ value }) => value === target.value)?.value ?? 'system')
              }
            >
              {THEMES.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <div className={styles['row']}>
        <Field label="Editor font size" hint={`${FONT_SIZES.least} to ${FONT_SIZES.most} pixels.`}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              min={FONT_SIZES.least}
              max={FONT_SIZES.most}
              className={field['input']}
              key={fontSize}
              defaultValue={fontSize}
              onBlur={({ target }) => preferences.setFontSize(Number(target.value) || FONT_SIZES.standard)}
              onKeyDown={(event) =>
                event.key === 'Enter' &&
                preferences.setFontSize(Number(event.currentTarget.value) || FONT_SIZES.standard)
              }
            />
          )}
        </Field>
      </div>
      <label className={styles['check']}>
        <input type="checkbox" checked={dryRunOnSave} onChange={preferences.toggleDryRunOnSave} />
        Dry run on save
      </label>
    </section>
  )
}
