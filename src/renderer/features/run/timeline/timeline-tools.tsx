// The line above the bars: zoom, and what else belongs there.

import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import styles from './timeline.module.css'

interface TimelineToolsProps {
  zoom: number
  closest: number
  zoomTo(zoom: number): void
  children: ReactNode
}

export function TimelineTools({ zoom, closest, zoomTo, children }: TimelineToolsProps) {
  return (
    <div className={styles['tools']}>
      <h3 className={styles['title']}>Timeline</h3>
      {children}
      <div className={styles['zoom']}>
        <IconButton label="Zoom out" disabled={zoom <= 1} onClick={() => zoomTo(zoom / 2)}>
          <ZoomOut size={14} aria-hidden />
        </IconButton>
        <IconButton label="Zoom in" disabled={zoom >= closest} onClick={() => zoomTo(zoom * 2)}>
          <ZoomIn size={14} aria-hidden />
        </IconButton>
        <IconButton label="Show the whole run" disabled={zoom <= 1} onClick={() => zoomTo(1)}>
          <Maximize2 size={13} aria-hidden />
        </IconButton>
      </div>
    </div>
  )
}
