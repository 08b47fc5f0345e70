// What the app is asked to open, read from a command line: its own at start, another instance's later.

import { resolve } from 'node:path'

export interface LaunchArguments {
  /** The folder to open, absolute. */
  workspace: string | undefined
}

const WORKSPACE = '--workspace='

/**
 * Only the form with `=` is known: Chromium reorders the arguments that a second instance hands over, and would part a
 * name from its value.
 */
export function parseArguments(argv: readonly string[], cwd: string): LaunchArguments {
  const given = argv
    .filter((argument) => argument.startsWith(WORKSPACE))
    .at(-1)
    ?.slice(WORKSPACE.length)
  return { workspace: given === undefined || given === '' ? undefined : resolve(cwd, given) }
}
