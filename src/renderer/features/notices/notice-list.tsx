// Messages in the corner. Failures interrupt a screen reader, the rest waits its turn.

import { CircleAlert, Info, X } from 'lucide-react'
import { useStore } from 'zustand'
import { useApp } from '../../ui/app-context.tsx'
import { IconButton } from '../../ui/button.tsx'
import styles from './notice-list.module.css'

export function NoticeList() {
  const { notices: store } = useApp()
  const { notices } = useStore(store.store)
  return (
    <div className={styles['list']} aria-live="polite">
      {notices.map(({ id, kind, text }) => (
        <div key={id} className={styles['notice']} role={kind === 'error' ? 'alert' : undefined}>
          {kind === 'error' ? (
            <CircleAlert size={16} aria-hidden className={styles['error']} />
          ) : (
            <Info size={16} aria-hidden className={styles['info']} />
          )}
          <p className={styles['text']}>{text}</p>
          <IconButton label="Dismiss" onClick={() => store.dismiss(id)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
    </div>
  )
}
