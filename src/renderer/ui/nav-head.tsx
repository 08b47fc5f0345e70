// The head of a sidebar list. Its button takes the focus to the list, so that one can go there by name.

import type { ReactNode } from 'react'
import styles from './nav-head.module.css'

interface NavHeadProps {
  title: string
  count: number
  /** Its buttons. */
  children?: ReactNode
}

export function NavHead({ title, count, children }: NavHeadProps) {
  return (
    <div className={styles['head']}>
      <h2>
        <button
          type="button"
          className={styles['button']}
          onClick={({ currentTarget }) => focusFirstItem(currentTarget)}
        >
          {title}
        </button>
      </h2>
      {count > 0 && <span className={styles['count']}>{count.toLocaleString('en-US')}</span>}
      {children !== undefined && <div className={styles['actions']}>{children}</div>}
    </div>
  )
}

function focusFirstItem(head: HTMLElement): void {
  const nav = head.closest('nav')
  const current = nav?.querySelector<HTMLElement>('li button[aria-current]')
  const target = current ?? nav?.querySelector<HTMLElement>('li button')
  target?.focus()
}
