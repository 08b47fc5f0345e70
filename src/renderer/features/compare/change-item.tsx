// One thing that differs: what it was, what it is.

import type { FieldChange } from '../../../shared/index.ts'
import changes from '../../ui/changes.module.css'
import styles from './compare-tab.module.css'

export function ChangeItem({ name, change: { before, after } }: { name: string; change: Omit<FieldChange, 'field'> }) {
  return (
    <li>
      <span className={styles['field']}>{name}</span>
      <span className={changes['before']}>
        <span className="unseen">first: </span>− {before ?? 'nothing'}
      </span>
      <span className={changes['after']}>
        <span className="unseen">second: </span>+ {after ?? 'nothing'}
      </span>
    </li>
  )
}
