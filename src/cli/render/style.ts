// Colours and symbols, decided once from the terminal and the environment.

import picocolors from 'picocolors'
import type { AgentStatus } from '../../shared/index.ts'

export type Colors = ReturnType<typeof picocolors.createColors>

export interface Style {
  colors: Colors
  symbol: Record<Exclude<AgentStatus, 'running'>, string> & {
    spinner: readonly string[]
    group: string
    separator: string
    bullet: string
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const UNICODE = {
  queued: '·',
  completed: '✓',
  failed: '✗',
  skipped: '⊘',
  cancelled: '■',
  replayed: '↺',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  group: '▸',
  separator: ' · ',
  bullet: '→',
}

const ASCII = {
  queued: '.',
  completed: '+',
  failed: 'x',
  skipped: '-',
  cancelled: '#',
  replayed: '=',
  spinner: ['|', '/', '-', '\\'],
  group: '>',
  separator: ', ',
  bullet: '->',
}

export function makeStyle(options: { colors: boolean; unicode: boolean }): Style {
  return { colors: picocolors.createColors(options.colors), symbol: options.unicode ? UNICODE : ASCII }
}

/** https://no-color.org and https://force-color.org, then what the terminal is. */
export function wantsColors(isTty: boolean, env: Environment): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0'
  return isTty && env['TERM'] !== 'dumb'
}

/** False for the Linux console, a dumb terminal, and where the locale is said to be plain C. */
export function speaksUnicode(env: Environment): boolean {
  if (env['TERM'] === 'linux' || env['TERM'] === 'dumb') return false
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG']
  return locale === undefined || locale === '' || /utf-?8/i.test(locale)
}
