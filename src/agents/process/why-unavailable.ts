// Whether a command of the settings can be started at all, asked before any agent is.

import { messageOf } from '../errors.ts'
import { describeMissing, findProgram, realSurroundings, resolveCommand } from './resolve-command.ts'

/** Undefined when it can, as far as that is known without a call's folder. */
export function whyUnavailable(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const around = realSurroundings(env, process.cwd())
  try {
    const { program } = resolveCommand(command, around)
    // A relative path is taken from each call's own folder: only the call can tell.
    const relative = /[/\\]/.test(program) && !/^([/\\]|[a-z]:)/i.test(program)
    return relative || findProgram(program, around) !== undefined ? undefined : describeMissing(program, around)
  } catch (error) {
    return messageOf(error)
  }
}
