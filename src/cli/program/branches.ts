// Commands on the branches that worktree agents leave.

import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { diffBranch, dropBranch, listBranches, mergeBranch, openBranch } from '../commands/branches.ts'
import { JSON_OPTION, type Choose } from './words.ts'

const CWD = ['--cwd <folder>', 'the repository (default: here)'] as const
const BRANCH = ['<branch>', 'a branch as it is listed, or an end of its name that no other has'] as const

export function addBranches(program: CommandUnknownOpts, choose: Choose): void {
  const branches = program
    .command('branches')
    .description('what agents in worktrees changed: a branch for each (see "weft help branches")')
  branches
    .command('list', { isDefault: true })
    .description('list them, latest first')
    .option('--run <id>', 'only those of this run, in its workspace')
    .option(...CWD)
    .option(...JSON_OPTION)
    .action((options) => choose((context) => listBranches(context, options)))
  branches
    .command('diff')
    .description('what the agent changed, as a patch')
    .argument(...BRANCH)
    .option(...CWD)
    .option(...JSON_OPTION)
    .action((name, options) => choose((context) => diffBranch(context, name, options)))
  branches
    .command('merge')
    .description(
      'merge it into the branch that is checked out; with conflicts nothing is changed and the exit code is 1',
    )
    .argument(...BRANCH)
    .option(...CWD)
    .option(...JSON_OPTION)
    .action((name, options) => choose((context) => mergeBranch(context, name, options)))
  branches
    .command('drop')
    .description('delete it, and the folder it was opened in if nothing else is in it')
    .argument(...BRANCH)
    .option('-y, --yes', 'although it is not merged')
    .option(...CWD)
    .option(...JSON_OPTION)
    .action((name, options) => choose((context) => dropBranch(context, name, options)))
  branches
    .command('open')
    .description('check it out into a folder of its own and print that folder')
    .argument(...BRANCH)
    .option(...CWD)
    .option(...JSON_OPTION)
    .action((name, options) => choose((context) => openBranch(context, name, options)))
}
