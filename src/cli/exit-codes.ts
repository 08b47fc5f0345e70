// The exit codes that scripts may rely on, and the one place that picks among them.

import type { RunEnvelope } from '../shared/index.ts'

export const EXIT = {
  completed: 0,
  /** The run ended `error`, its host died, or the command itself failed. */
  error: 1,
  /** Usage, parse or meta: nothing ran. */
  refused: 2,
  /** Completed, but agents failed or were refused. */
  degraded: 3,
  /** Cancelled by someone or something other than Ctrl-C here. */
  cancelled: 4,
  /** Paused, and `--exit-on-pause` was given. */
  paused: 5,
  /** Cancelled by Ctrl-C here. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export interface ExitFlags {
  allowFailures: boolean
  /** Ctrl-C was pressed here while it ran. */
  interrupted: boolean
}

/** What a run's outcome is to a shell. */
export function exitCodeOf(envelope: Pick<RunEnvelope, 'outcome' | 'degraded'>, flags: ExitFlags): ExitCode {
  switch (envelope.outcome) {
    case 'completed':
      return envelope.degraded && !flags.allowFailures ? EXIT.degraded : EXIT.completed
    case 'cancelled':
      return flags.interrupted ? EXIT.interrupted : EXIT.cancelled
    case 'paused':
      return EXIT.paused
    case 'error':
    case 'interrupted':
    case 'queued':
    case 'running':
      return EXIT.error
  }
}
