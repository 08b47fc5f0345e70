// Commands on who runs agents.

import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { findBackends, listBackends, useBackend } from '../commands/backends.ts'
import { JSON_OPTION, type Choose } from './words.ts'

export function addBackends(program: CommandUnknownOpts, choose: Choose): void {
  const backends = program
    .command('backends')
    .description('who can run agents: what is installed, what works, what it supports')
  backends
    .command('list', { isDefault: true })
    .description('list those of the settings')
    .option(...JSON_OPTION)
    .action((options) => choose((context) => listBackends(context, options)))
  backends
    .command('find')
    .description('look for agents on this machine: installed, version, signed in, what each supports')
    .option(...JSON_OPTION)
    .action((options) => choose((context) => findBackends(context, options)))
  backends
    .command('use')
    .description('make one the default, and remember it')
    .argument('<id>', 'a back end of the settings, or an agent that was found')
    .option(...JSON_OPTION)
    .action((id, options) => choose((context) => useBackend(context, id, options)))
}
