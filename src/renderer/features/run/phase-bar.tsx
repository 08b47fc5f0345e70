// How far a phase is: a bar of its ended, failed and running agents, and the numbers.

import type { ContainerNode } from '../../state/tree/run-tree.ts'
import styles from './phase-bar.module.css'

export function PhaseBar({ node: { agents, ended, failed, running } }: { node: ContainerNode }) {
  const share = (count: number): string => `${(100 * count) / agents}%`
  return (
    <span className={styles['phase']}>
      <span className={styles['bar']} aria-hidden>
        <span className={styles['ended']} style={{ width: share(ended - failed) }} />
        <span className={styles['failed']} style={{ width: share(failed) }} />
        <span className={styles['running']} style={{ width: share(running) }} />
      </span>
      <span className={styles['count']}>
        {ended}/{agents}
      </span>
      {failed > 0 && <span className={styles['failures']}>{failed} failed</span>}
      {running > 0 && <span className={styles['active']}>{running} running</span>}
    </span>
  )
}
