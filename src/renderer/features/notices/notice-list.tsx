// Messages in the corner. Failures interrupt a screen reader, the rest waits its turn.

import { CircleAlert, Info, Unplug, X } from 'lucide-react'
import { useStore } from 'zustand'
import { useApp } from '../../ui/app-context.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import styles from './notice-list.module.css'

export function NoticeList() {
  const { notices: store } = useApp()
  const { notices } = useStore(store.store)
  return (
    <section className={styles['list']} aria-label="Messages" aria-live="polite">
      {notices.map(({ id, kind, text, actions }) => (
        <div key={id} className={styles['notice']} role={kind === 'error' ? 'alert' : undefined}>
          {kind === 'error' ? (
            <CircleAlert size={16} aria-hidden className={styles['error']} />
          ) : kind === 'offer' ? (
            <Unplug size={16} aria-hidden className={styles['offer']} />
          ) : (
            <Info size={16} aria-hidden className={styles['info']} />
          )}
          <div className={styles['text']}>
            <p>{text}</p>
            {actions && (
              <div className={styles['actions']}>
                {actions.map(({ label, run }) => (
                  <Button
                    key={label}
                    onClick={() => {
                      store.dismiss(id)
                      run()
                    }}
                  >
                    {label}
                  </Button>
                ))}
              </div>
            )}
          </div>
          <IconButton label="Dismiss" onClick={() => store.dismiss(id)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
    </section>
  )
}
