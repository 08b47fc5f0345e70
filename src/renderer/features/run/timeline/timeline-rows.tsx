// The bars themselves: only the rows in view are drawn, over an axis that is as wide as the zoom makes it.

import { defaultRangeExtractor } from '@tanstack/react-virtual'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { useStore } from 'zustand'
import type { RunSession } from '../../../state/runs/run-session.ts'
import { axisTicks, formatTick, type TimelineRow } from '../../../state/timeline/timeline.ts'
import { useVirtual } from '../../../ui/use-virtual.ts'
import { BarRow } from './bar-row.tsx'
import styles from './timeline.module.css'

const ROW_HEIGHT = 18
/** The axis on top of what is scrolled, and the line below it, as in the styles. */
const AXIS_HEIGHT = 20
const FOOT_HEIGHT = 30
/** What a tick and its words need, `12:34:56` with some air. */
const TICK_WIDTH = 76
const NO_ROWS: readonly TimelineRow[] = []

interface TimelineRowsProps {
  session: RunSession
  rows: readonly TimelineRow[]
  length: number
  zoom: number
  zoomTo(zoom: number): void
  scroller: RefObject<HTMLDivElement | null>
  /** Where the slider is, from the start. */
  moment: number | undefined
  foot: ReactNode
}

export function TimelineRows(props: TimelineRowsProps) {
  const { session, rows, length, zoom, zoomTo, scroller, moment, foot } = props
  const selected = useStore(session.tree.store, (tree) => tree.selected)
  const [active, setActive] = useState<string>()
  const prefix = useId()
  const activeIndex = rows.findIndex((row) => row.id === active)
  const virtualizer = useVirtual({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    scrollMargin: AXIS_HEIGHT,
    scrollPaddingStart: AXIS_HEIGHT,
    scrollPaddingEnd: FOOT_HEIGHT,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return activeIndex === -1 || shown.includes(activeIndex) ? shown : [...shown, activeIndex].sort((a, b) => a - b)
    },
  })
  const measured = (virtualizer.scrollRect?.height ?? 0) > 0
  useFollowSelection(measured ? rows : NO_ROWS, selected, (index) => {
    setActive(rows[index]?.id)
    virtualizer.scrollToIndex(index, { align: 'auto' })
  })

  const choose = (row: TimelineRow): void => {
    setActive(row.id)
    if (row.kind === 'agent') session.tree.show(row.agent)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const last = rows.length - 1
    const at = Math.max(0, activeIndex)
    const moves: Record<string, number> = {
      ArrowDown: activeIndex === -1 ? 0 : at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: last,
    }
    const move = moves[event.key]
    const row = rows[at]
    if (move !== undefined) {
      const index = Math.max(0, Math.min(last, move))
      setActive(rows[index]?.id)
      virtualizer.scrollToIndex(index, { align: 'auto' })
    } else if (event.key === '+' || event.key === '=') zoomTo(zoom * 2)
    else if (event.key === '-') zoomTo(zoom / 2)
    else if (event.key === '0') zoomTo(1)
    else if (event.key === 'ArrowLeft') scroller.current?.scrollBy({ left: -80 })
    else if (event.key === 'ArrowRight') scroller.current?.scrollBy({ left: 80 })
    else if ((event.key === 'Enter' || event.key === ' ') && row) choose(row)
    else return
    event.preventDefault()
  }
  const activeRow = rows[activeIndex] ?? rows[0]

  return (
    <div ref={scroller} className={styles['scroller']}>
      <div className={styles['canvas']} style={{ width: `calc(var(--labels) + (100% - var(--labels)) * ${zoom})` }}>
        <Axis length={length} moment={moment} />
        <div
          className={styles['rows']}
          style={{ height: virtualizer.getTotalSize() }}
          role="listbox"
          aria-label="Agents over time"
          tabIndex={0}
          aria-activedescendant={activeRow && `${prefix}${activeRow.id}`}
          onKeyDown={onKeyDown}
        >
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index]
            return (
              row && (
                <BarRow
                  key={row.id}
                  domId={`${prefix}${row.id}`}
                  row={row}
                  position={item.index + 1}
                  count={rows.length}
                  top={item.start - AXIS_HEIGHT}
                  length={length}
                  active={row === activeRow}
                  selected={row.kind === 'agent' && row.agent === selected}
                  onChoose={choose}
                />
              )
            )
          })}
        </div>
        <div className={styles['foot']}>{foot}</div>
      </div>
    </div>
  )
}

/** What is selected in the tree is brought into view here. */
function useFollowSelection(
  rows: readonly TimelineRow[],
  selected: number | undefined,
  onSelect: (index: number) => void,
): void {
  const followed = useRef<number>(undefined)
  useEffect(() => {
    if (selected === followed.current) return
    const index = rows.findIndex((row) => row.kind === 'agent' && row.agent === selected)
    // A run that is opened at an agent has still to be read, and its place to be measured.
    if (selected !== undefined && index === -1) return
    followed.current = selected
    if (index !== -1) onSelect(index)
  }, [rows, selected, onSelect])
}

function Axis({ length, moment }: { length: number; moment: number | undefined }) {
  const track = useRef<HTMLDivElement>(null)
  const width = useWidth(track)
  const fitting = Math.max(1, Math.floor(width / TICK_WIDTH))
  // One near the very end would have no place for its words.
  const ticks = axisTicks(length, fitting).filter((tick) => (1 - tick / length) * width >= TICK_WIDTH || tick === 0)
  return (
    <div className={styles['axis']} aria-hidden>
      <div className={styles['corner']} />
      <div ref={track} className={styles['track']} data-track>
        {moment !== undefined && (
          <span className={styles['playhead']} style={{ left: `${(100 * moment) / length}%` }} />
        )}
        {ticks.map((tick) => (
          <span key={tick} data-tick className={styles['tick']} style={{ left: `${(100 * tick) / length}%` }}>
            <span className={styles['words']}>{formatTick(tick)}</span>
          </span>
        ))}
      </div>
    </div>
  )
}

/** In pixels; 0 until it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const { current } = element
    if (current === null) return undefined
    // It answers at once, and then with every change.
    const observer = new ResizeObserver(() => setWidth(current.offsetWidth))
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
