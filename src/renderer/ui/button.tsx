// Buttons: with words, or with an icon that a label names.

import type { ComponentProps, ReactNode } from 'react'
import styles from './button.module.css'
import { cx } from './cx.ts'

interface ButtonProps extends ComponentProps<'button'> {
  look?: 'plain' | 'outlined' | 'primary' | 'danger'
  icon?: ReactNode
}

export function Button({ look = 'outlined', icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={cx(styles['button'], styles[look], className)} {...rest}>
      {icon}
      {children}
    </button>
  )
}

/** A button that shows only an icon; `label` names it. */
export function IconButton({ label, className, title, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={title ?? label}
      className={cx(styles['button'], styles['plain'], styles['icon'], className)}
      {...rest}
    />
  )
}
