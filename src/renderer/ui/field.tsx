// A form field: label, control, hint and error tied together for screen readers.

import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './field.module.css'

interface FieldIds {
  id: string
  'aria-describedby': string
  'aria-invalid': boolean
}

interface FieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** The control, with what ties it to its label and hint. */
  children(ids: FieldIds): ReactNode
}

/** A labelled control with a hint below it, which an error takes the place of. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}hint`
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      {children({ id, 'aria-describedby': hintId, 'aria-invalid': error !== undefined })}
      <p id={hintId} className={cx(styles['hint'], error !== undefined && styles['error'])}>
        {error ?? hint}
      </p>
    </div>
  )
}
