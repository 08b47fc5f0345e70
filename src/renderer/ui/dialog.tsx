// Dialogs that keep the focus: one that asks for input, one that asks a question.

import { AlertDialog } from '@base-ui/react/alert-dialog'
import { Dialog } from '@base-ui/react/dialog'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './dialog.module.css'

interface ModalProps {
  title: string
  /** Escape, a click beside it, or the close button. */
  onClose(): void
  /** Left in the footer, e.g. an estimate. */
  note?: ReactNode
  actions: ReactNode
  /** The element, or what finds it once the dialog is there. */
  initialFocus?: ComponentProps<typeof Dialog.Popup>['initialFocus']
  /** For what needs more than a few fields. */
  wide?: boolean
  children: ReactNode
}

/** A dialog that asks for input. */
export function Modal({ title, onClose, note, actions, initialFocus, wide = false, children }: ModalProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['backdrop']} />
        <Dialog.Popup
          className={cx(styles['popup'], wide && styles['wide'])}
          {...(initialFocus !== undefined && { initialFocus })}
        >
          <div className={styles['body']}>
            <Dialog.Title className={styles['title']}>{title}</Dialog.Title>
            {children}
          </div>
          <div className={styles['foot']}>
            <div className={styles['note']}>{note}</div>
            {actions}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** A question that has to be answered. */
export function Question({ title, onClose, actions, initialFocus, children }: Omit<ModalProps, 'note' | 'wide'>) {
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles['backdrop']} />
        <AlertDialog.Popup className={styles['popup']} {...(initialFocus !== undefined && { initialFocus })}>
          <div className={styles['body']}>
            <AlertDialog.Title className={styles['title']}>{title}</AlertDialog.Title>
            <AlertDialog.Description className={styles['text']}>{children}</AlertDialog.Description>
          </div>
          <div className={styles['foot']}>{actions}</div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
