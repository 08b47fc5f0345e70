// What stands where there is nothing yet: what would be here, and what to do for it.

import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  title: string
  /** What to do next. */
  children?: ReactNode
  actions?: ReactNode
  /** For narrow places: left-aligned and only as high as its text. */
  small?: boolean
}

export function EmptyState({ title, children, actions, small = false }: EmptyStateProps) {
  return (
    <div className={cx(styles['empty'], small && styles['small'])}>
      <p className={styles['title']}>{title}</p>
      {children !== undefined && <p className={styles['hint']}>{children}</p>}
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </div>
  )
}
