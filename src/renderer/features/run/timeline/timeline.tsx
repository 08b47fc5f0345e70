// The run over time: bars of agents under the bands of their phases, how many were at work at once below them, and above
// them the slider that takes the tree back to any moment. Selecting a bar selects the agent's row, and the reverse.

import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { RunSession } from '../../../state/runs/run-session.ts'
import { isLiveStatus, viewEnd, viewStatus } from '../../../state/runs/run-view.ts'
import { buildTimeline, type TimelineRow } from '../../../state/timeline/timeline.ts'
import { buildRunTree } from '../../../state/tree/run-tree.ts'
import { useApp, useTimeText } from '../../../ui/app-context.tsx'
import { Concurrency } from './concurrency.tsx'
import { HistorySlider } from './history-slider.tsx'
import { TimelineRows } from './timeline-rows.tsx'
import { TimelineTools } from './timeline-tools.tsx'
import styles from './timeline.module.css'

const CLOSEST = 64

export function Timeline({ session }: { session: RunSession }) {
  const { rows, length, start, live } = useTimelineRows(session)
  const [zoom, setZoom] = useState(1)
  const scroller = useRef<HTMLDivElement>(null)
  const anchor = useRef<{ share: number; x: number } | null>(null)
  const at = useStore(session.history.store, (history) => history.at)

  // What is under the pointer, or in the middle, stays there.
  const zoomTo = (wanted: number, x?: number): void => {
    const view = scroller.current
    if (view === null) return
    const track = view.querySelector<HTMLElement>('[data-track]')
    const left = track?.getBoundingClientRect().left ?? 0
    const width = track?.offsetWidth ?? 1
    const labels = track?.offsetLeft ?? 0
    const place = x ?? view.getBoundingClientRect().left + labels + (view.clientWidth - labels) / 2
    anchor.current = { share: (place - left) / width, x: place - view.getBoundingClientRect().left - labels }
    setZoom(Math.max(1, Math.min(CLOSEST, wanted)))
  }
  useEffect(() => {
    const view = scroller.current
    const track = view?.querySelector<HTMLElement>('[data-track]')
    if (!view || !track || anchor.current === null) return
    view.scrollLeft = anchor.current.share * track.offsetWidth - anchor.current.x
    anchor.current = null
    // Once the canvas has its new width.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- see above
  }, [zoom])
  useWheelZoom(scroller, (factor, x) => zoomTo(zoom * factor, x))

  return (
    <figure className={styles['timeline']} aria-label="Timeline">
      <TimelineTools zoom={zoom} zoomTo={zoomTo} closest={CLOSEST}>
        {!live && length > 0 && <HistorySlider session={session} start={start} length={length} />}
      </TimelineTools>
      <TimelineRows
        session={session}
        rows={rows}
        length={length}
        zoom={zoom}
        zoomTo={zoomTo}
        scroller={scroller}
        moment={at === null ? undefined : at - start}
        foot={<Concurrency rows={rows} length={length} />}
      />
    </figure>
  )
}

interface TimelineData {
  rows: readonly TimelineRow[]
  /** Milliseconds that the axis is long. */
  length: number
  /** Milliseconds since the epoch. */
  start: number
  live: boolean
}

/** Made anew when the run's shape changes, not with every word that an agent says. */
function useTimelineRows(session: RunSession): TimelineData {
  const shapeSeq = useStore(session.view, (view) => view.shapeSeq)
  const status = useStore(session.view, viewStatus)
  const end = useStore(session.view, viewEnd)
  const { clock } = useApp()
  const live = isLiveStatus(status)
  const { rows, start } = useMemo(() => {
    const { state, gaps } = session.view.getState()
    const begin = state.startedAt ?? 0
    return { rows: buildTimeline(buildRunTree(state, status), begin, gaps), start: begin, seq: shapeSeq }
  }, [session, status, shapeSeq])
  // Drawn again once a second while it grows.
  useTimeText(live, live ? String : noText)
  const last = end ?? clock.now()
  return { rows, length: start === 0 ? 0 : Math.max(1, last - start), start, live }
}

/** Ctrl and the wheel, or two fingers: React's own listener could not keep the page from zooming. */
function useWheelZoom(
  scroller: React.RefObject<HTMLDivElement | null>,
  onZoom: (factor: number, x: number) => void,
): void {
  const latest = useRef(onZoom)
  useEffect(() => {
    latest.current = onZoom
  })
  useEffect(() => {
    const view = scroller.current
    if (view === null) return
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      latest.current(Math.exp(-event.deltaY / 200), event.clientX)
    }
    view.addEventListener('wheel', onWheel, { passive: false })
    return () => view.removeEventListener('wheel', onWheel)
  }, [scroller])
}

const noText = (): string => ''
