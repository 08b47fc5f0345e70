// The head of a panel: its title, how many entries it has, its buttons.

import type { ReactNode } from 'react'
import styles from './panel-head.module.css'

interface PanelHeadProps {
  title: string
  count?: number | undefined
  children?: ReactNode
}

export function PanelHead({ title, count, children }: PanelHeadProps) {
  return (
    <div className={styles['head']}>
      <h2 className={styles['title']}>{title}</h2>
      {count !== undefined && count > 0 && <span className={styles['count']}>{count.toLocaleString('en-US')}</span>}
      {children !== undefined && <div className={styles['actions']}>{children}</div>}
    </div>
  )
}
