// A small word beside a name: what kind of thing it is.

import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { cx } from './cx.ts'

interface BadgeProps {
  tone?: 'neutral' | 'running' | 'warning' | 'failed' | 'replayed'
  title?: string
  children: ReactNode
}

export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span className={cx(styles['badge'], tone !== 'neutral' && styles[tone])} title={title}>
      {children}
    </span>
  )
}
