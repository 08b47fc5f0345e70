// The scenarios as tests of whichever project includes them.

import { test } from '../app/fixtures.ts'
import { dryRuns, findsWorkflows, isToldOfAMistake, opensAWorkflow } from './author.ts'
import { cancelsARun, readsHostileOutput, watchesARunAndFindsItAgain } from './operator.ts'
import { addSample } from './samples.ts'

export function describeScenarios(): void {
  test('workflows of the project and bundled ones are listed, new files at once, broken ones with the rest', async ({
    launch,
  }) => {
    await findsWorkflows(await launch())
  })

  test('a workflow opens in a tab with its text', async ({ home, launch }) => {
    addSample(home)
    await opensAWorkflow(await launch())
  })

  test('a mistake in meta is marked and listed while typing, and gone when it is put right', async ({
    home,
    launch,
  }) => {
    addSample(home)
    await isToldOfAMistake(await launch())
  })

  test('a dry run shows phases and agents, starts no process and leaves no run', async ({ home, launch }) => {
    addSample(home)
    await dryRuns(await launch())
  })

  test('a run with agent processes is watched live and found again after a restart', async ({ home, launch }) => {
    await watchesARunAndFindsItAgain(home, launch)
  })

  test('a cancelled run leaves no process', async ({ home, launch }) => {
    await cancelsARun(home, launch)
  })

  test('hostile output of an agent is shown as text', async ({ home, launch }) => {
    await readsHostileOutput(home, launch)
  })
}
