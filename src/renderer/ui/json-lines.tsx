// Pretty-printed JSON of which only the visible lines are drawn: a result of megabytes opens at once.

import { useVirtual } from './use-virtual.ts'
import { useMemo, useRef } from 'react'
import { cutText } from '../../shared/index.ts'
import { JsonLine } from './json-line.tsx'
import styles from './json-lines.module.css'

const LINE_HEIGHT = 18
const LONGEST_LINE = 5000

export function JsonLines({ text, label }: { text: string; label: string }) {
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => text.split('\n'), [text])
  const virtualizer = useVirtual({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  })
  return (
    // Scrolled by keys, so it has to take the focus.
    <div ref={scroller} className={styles['scroller']} tabIndex={0} role="group" aria-label={label}>
      <div className={styles['sizer']} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => (
          <div key={item.key} className={styles['line']} style={{ transform: `translateY(${item.start}px)` }}>
            <JsonLine text={shorten(lines[item.index] ?? '')} />
          </div>
        ))}
      </div>
    </div>
  )
}

// Chromium lays a line out as a whole: one of megabytes would freeze the window. The copy button has all of it.
function shorten(line: string): string {
  return line.length > LONGEST_LINE
    ? `${cutText(line, LONGEST_LINE)} … (${(line.length - LONGEST_LINE).toLocaleString('en-US')} more characters)`
    : line
}
