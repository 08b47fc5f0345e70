// The settings file as text. It is written only as a whole and only when the host finds nothing wrong with it.

import { useState } from 'react'
import { useStore } from 'zustand'
import type { JsonValue } from '../../../shared/index.ts'
import { useApp } from '../../ui/app-context.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import field from '../../ui/field.module.css'
import styles from './settings.module.css'

export function SettingsJson({ text: saved }: { text: string }) {
  const { settings } = useApp()
  const violations = useStore(settings.store, (state) => state.violations)
  const [text, setText] = useState(saved === '' ? '{\n}\n' : saved)
  const [tried, setTried] = useState(false)
  const parsed = parse(text)
  const save = async (): Promise<void> => {
    setTried(true)
    if ('value' in parsed) await settings.write(parsed.value)
  }
  const problems = 'error' in parsed ? [parsed.error] : tried ? violations : []
  return (
    <div className={styles['json']}>
      <textarea
        className={cx(field['code'], styles['text'])}
        aria-label="Settings as JSON"
        aria-invalid={problems.length > 0}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setTried(false)
          setText(event.target.value)
        }}
      />
      <div className={styles['jsonFoot']}>
        <ul className={styles['problems']} aria-live="polite">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
        <Button disabled={text === saved} onClick={() => setText(saved)}>
          Revert
        </Button>
        <Button look="primary" disabled={'error' in parsed || text === saved} onClick={() => void save()}>
          Save settings
        </Button>
      </div>
    </div>
  )
}

function parse(text: string): { value: JsonValue } | { error: string } {
  try {
    // JSON.parse makes JSON values.
    return { value: JSON.parse(text) as JsonValue }
  } catch (error) {
    return { error: `Not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}
