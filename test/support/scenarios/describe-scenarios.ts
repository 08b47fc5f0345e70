// The scenarios as tests of whichever project includes them.

import { test } from '../app/fixtures.ts'
import { dryRuns, findsWorkflows, isToldOfAMistake, opensAWorkflow } from './author.ts'
import { readsHostileOutput } from './hostile.ts'
import { operatesByKeyboard, writesByKeyboard } from './keyboard.ts'
import { cancelsARun, watchesARunAndFindsItAgain } from './operator.ts'
import { addSample } from './samples.ts'
import { exportsAndImportsARun, stepsIntoARunAndResumesIt } from './stepping-in.ts'
import { keepsUnsavedText, writesAWorkflow } from './writing.ts'

export function describeScenarios(): void {
  test('workflows of the project and bundled ones are listed, new files at once, broken ones with the rest', async ({
    launch,
  }) => {
    await findsWorkflows(await launch())
  })

  test('a workflow is written from nothing, mended, dry-run and run', async ({ home, launch }) => {
    await writesAWorkflow(home, launch)
  })

  test('unsaved text outlives the death of window and host', async ({ home, launch }) => {
    await keepsUnsavedText(home, launch)
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

  test('a run is paused, an agent skipped, one retried; it is resumed with its plan, compared, and found again', async ({
    home,
    launch,
  }) => {
    await stepsIntoARunAndResumesIt(home, launch)
  })

  test('a run is exported, deleted and imported again', async ({ home, launch }) => {
    await exportsAndImportsARun(home, launch)
  })
}

/** Keys go the same way in Electron, whose own menu keys have tests of their own: once is enough for the time it takes. */
export function describeKeyboard(): void {
  test('an author mends, dry-runs and runs a workflow with keys alone', async ({ home, launch }) => {
    await writesByKeyboard(home, launch)
  })

  test('an operator steps into a run, cancels, resumes and finds it with keys alone', async ({ home, launch }) => {
    await operatesByKeyboard(home, launch)
  })
}
