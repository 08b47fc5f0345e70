// What is shown while a run goes on: a live tree where the terminal can redraw, plain lines where it can't.

import { createLogUpdate } from 'log-update'
import { EMPTY_RUN, type RunEvent, type RunState } from '../../shared/index.ts'
import type { Output } from '../output/output.ts'
import { describeEvent } from '../render/event-lines.ts'
import { renderRunTree } from '../render/run-tree.ts'
import type { Style } from '../render/style.ts'
import { fitWidth } from '../render/text.ts'

export interface RunDisplay {
  update(events: readonly RunEvent[], state: RunState): void
  /** One line beside the tree. */
  note(text: string): void
  /** Takes the tree away, or leaves its last picture (without the footer) standing. Idempotent. */
  end(leave: boolean): void
}

const FRAME_MS = 100
// Events that a tree does not hold, told above it.
const TOLD_ABOVE: ReadonlySet<RunEvent['type']> = new Set(['log', 'warning', 'permission-asked'])

export function createRunDisplay(output: Output, style: Style, now: () => number): RunDisplay {
  return output.isTty && output.rows() > 4 ? createLiveDisplay(output, style, now) : createLineDisplay(output, style)
}

function createLineDisplay(output: Output, style: Style): RunDisplay {
  return {
    update(events, state) {
      for (const event of events) {
        const line = describeEvent(event, state, style)
        if (line !== undefined) output.line(line)
      }
    },
    note: (text) => output.line(text),
    end: () => {},
  }
}

function createLiveDisplay(output: Output, style: Style, now: () => number): RunDisplay {
  const draw = createLogUpdate(output.stream)
  let state = EMPTY_RUN
  let frame = 0
  let ended = false
  const picture = (): string[] =>
    renderRunTree(state, { style, now: now(), frame }, { width: output.columns(), height: output.rows() - 1 })
  // Events come in bursts: they only change the state, the timer draws it.
  const timer = setInterval(() => {
    frame++
    if (!output.closed) draw(picture().join('\n'))
  }, FRAME_MS)
  timer.unref()
  const persist = (line: string): void => {
    if (!output.closed) draw.persist(fitWidth(line, output.columns()))
  }
  return {
    update(events, next) {
      state = next
      for (const event of events) {
        const line = TOLD_ABOVE.has(event.type) ? describeEvent(event, state, style) : undefined
        if (line !== undefined) persist(line)
      }
    },
    note: persist,
    end(leave) {
      if (ended) return
      ended = true
      clearInterval(timer)
      draw.clear()
      if (leave) for (const line of picture().slice(0, -1)) output.line(line)
      draw.done()
    },
  }
}
