// What the commands have in common: words of their help, and how one is chosen.

import type { Command } from '../commands/command.ts'

/** What parsing leads to: `choose` is told the command, with everything it was given bound to it. */
export type Choose = (command: Command) => void

export const JSON_OPTION = ['--json', 'one JSON document on stdout, everything else on stderr'] as const
export const RUN_ID = ['<id>', "a run's id, or any beginning or end of it that no other run has"] as const
