// A text that can't be parsed, with the place where.

import { HostError } from '../../shared/index.ts'

/** `line` and `column` count from 1. */
export function placedError(line: number, column: number, message: string): HostError {
  return new HostError({
    code: 'BAD_REQUEST',
    message: `it can't be parsed at ${line}:${column} (${message}); nothing was touched`,
  })
}

export function placedAt(text: string, offset: number, message: string): HostError {
  const before = text.slice(0, offset).split('\n')
  return placedError(before.length, (before.at(-1)?.length ?? 0) + 1, message)
}
