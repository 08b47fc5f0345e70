// Commands on runs that are over: compare, take away and bring back, keep and throw away.

import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { compareRuns } from '../commands/diff.ts'
import { exportRun } from '../commands/export.ts'
import { importRun } from '../commands/import.ts'
import { deleteRuns, pinRun } from '../commands/keep.ts'
import { JSON_OPTION, RUN_ID, type Choose } from './words.ts'

export function addArchive(program: CommandUnknownOpts, choose: Choose): void {
  program
    .command('diff')
    .description('compare two runs: what they were given, each call, what they returned, what it took')
    .argument('<a>', 'the earlier run')
    .argument('<b>', 'the later run')
    .option('--all', 'list the calls that are the same, too')
    .option(...JSON_OPTION)
    .action((a, b, options) => choose((context) => compareRuns(context, a, b, options)))
  program
    .command('export')
    .description('write a run to one file: JSON Lines that "weft import" takes, or a page to read')
    .argument(...RUN_ID)
    .option('-o, --output <file>', 'where to; - is standard output (default: a file of the run here)')
    .option('--html', 'one self-contained page for people')
    .option('--force', 'replace the file if there is one')
    .option(...JSON_OPTION)
    .action((id, options) => choose((context) => exportRun(context, id, options)))
  program
    .command('import')
    .description('bring in a run that was exported: all of it or, with every mistake named, nothing')
    .argument('<file>', 'a file of "weft export"; - is standard input')
    .option(...JSON_OPTION)
    .action((file, options) => choose((context) => importRun(context, file, options)))
  program
    .command('delete')
    .description('delete runs that are over, with all that is only theirs')
    .argument('<id...>', "runs' ids, or any beginning or end that no other run has")
    .option(...JSON_OPTION)
    .action((ids, options) => choose((context) => deleteRuns(context, ids, options)))
  for (const [name, pinned, description] of [
    ['pin', true, 'keep a run whatever its age'],
    ['unpin', false, 'let a run go when its time has come'],
  ] as const)
    program
      .command(name)
      .description(description)
      .argument(...RUN_ID)
      .option(...JSON_OPTION)
      .action((id, options) => choose((context) => pinRun(context, id, pinned, options)))
}
