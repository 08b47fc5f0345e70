// What a host in this process has to say goes to stderr: errors always, the rest as far as WEFT_LOG asks for it.

import { inspect } from 'node:util'
import type { HostOptions } from '../../host/index.ts'
import type { CliContext } from '../context.ts'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

/** `WEFT_LOG` is one of debug, info, warn, error; error when it is none. */
export function createLogger({ err, env }: Pick<CliContext, 'err' | 'env'>): HostOptions['logger'] {
  const wanted = LEVELS.indexOf(LEVELS.find((level) => level === env['WEFT_LOG']) ?? 'error')
  const at =
    (level: Level) =>
    (message: string, fields?: object): void => {
      if (LEVELS.indexOf(level) < wanted) return
      const details = fields === undefined ? '' : ` ${inspect(fields, { depth: 4, breakLength: Infinity })}`
      err.line(`weft ${level}: ${message}${details}`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
