// Panels beside or above each other, resizable by mouse and keys, their sizes remembered by the split's id.

import type { ReactNode } from 'react'
import { Group, Panel, Separator, useDefaultLayout, type PanelProps } from 'react-resizable-panels'
import styles from './split.module.css'

interface SplitProps {
  /** Names the remembered layout. */
  id: string
  orientation: 'horizontal' | 'vertical'
  /** The panels shown now, in order: a layout is remembered for each combination. */
  panelIds: string[]
  children: ReactNode
}

export function Split({ id, orientation, panelIds, children }: SplitProps) {
  const layout = useDefaultLayout({ id: `weft.${id}`, panelIds, storage: quietStorage })
  return (
    <Group
      className={styles['group']}
      orientation={orientation}
      {...(layout.defaultLayout && { defaultLayout: layout.defaultLayout })}
      onLayoutChanged={layout.onLayoutChanged}
    >
      {children}
    </Group>
  )
}

export function SplitPanel({ children, ...rest }: PanelProps) {
  return (
    <Panel {...rest} className={styles['panel']}>
      {children}
    </Panel>
  )
}

export function SplitHandle({ label }: { label: string }) {
  return <Separator className={styles['separator']} aria-label={label} />
}

// A page that may not store anything just doesn't remember.
const quietStorage = {
  getItem(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  setItem(key: string, value: string): void {
    try {
      localStorage.setItem(key, value)
    } catch {
      // See above.
    }
  },
}
