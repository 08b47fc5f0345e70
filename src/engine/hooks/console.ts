// `console`: the five levels, as events of the run's log.

import type { Guest } from '../sandbox/guest.ts'
import { currentScope } from '../sandbox/scope.ts'
import { cutLine, showValue } from './log.ts'

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const

type Level = (typeof LEVELS)[number]

export function makeConsole(guest: Guest): Record<Level, (...values: unknown[]) => void> {
  const write =
    (level: Level) =>
    (...values: unknown[]): void => {
      const scope = currentScope()
      guest.link.post({
        type: 'log',
        message: cutLine(values.map(showValue).join(' ')),
        level,
        source: 'console',
        phase: scope?.phase ?? null,
        group: scope?.group ?? 0,
      })
    }
  return { log: write('log'), info: write('info'), warn: write('warn'), error: write('error'), debug: write('debug') }
}
