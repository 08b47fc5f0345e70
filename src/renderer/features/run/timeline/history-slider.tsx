// Takes the run's tree back to any moment, and to its end again.

import { Undo2 } from 'lucide-react'
import { useStore } from 'zustand'
import { formatDuration } from '../../../state/format.ts'
import type { RunSession } from '../../../state/runs/run-session.ts'
import { IconButton } from '../../../ui/button.tsx'
import styles from './timeline.module.css'

interface HistorySliderProps {
  session: RunSession
  /** Milliseconds since the epoch. */
  start: number
  length: number
}

/** Fine enough for a wide screen, and few enough to be walked by keys. */
const STEPS = 1000

export function HistorySlider({ session: { history }, start, length }: HistorySliderProps) {
  const { at, failure } = useStore(history.store)
  const passed = at === null ? length : at - start
  const text = at === null ? `end, ${formatDuration(length)}` : `${formatDuration(passed)} of ${formatDuration(length)}`
  return (
    <div className={styles['history']}>
      <input
        type="range"
        className={styles['slider']}
        aria-label="History"
        aria-valuetext={text}
        title="Shows the tree as it was at that moment"
        min={0}
        max={STEPS}
        step={1}
        value={Math.round((passed / length) * STEPS)}
        onChange={({ target }) => {
          const step = Number(target.value)
          if (step >= STEPS) history.leave()
          else void history.seek(start + (step / STEPS) * length)
        }}
      />
      <span className={styles['moment']} aria-hidden>
        {failure ?? text}
      </span>
      <IconButton label="Back to the end" disabled={at === null} onClick={() => history.leave()}>
        <Undo2 size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
