import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { watchFolder } from '../../../src/host/workspace/watch-folder.ts'
import { makeTempFolder } from '../../support/host/temp-folder.ts'

/** Watches, and answers with a promise of the change that `act` causes. */
async function watch(folder: string) {
  let told = (): void => undefined
  const errors: unknown[] = []
  const stop = watchFolder(
    folder,
    () => told(),
    (error) => void errors.push(error),
  )
  onTestFinished(stop)
  return {
    errors,
    stop,
    async changes(act: () => Promise<unknown>): Promise<void> {
      const change = new Promise<void>((resolve) => {
        told = resolve
      })
      await act()
      await change
    },
  }
}

describe('watching a folder', () => {
  test('tells of a file that is made, changed, renamed or deleted', async () => {
    const folder = await makeTempFolder()
    const { changes, errors } = await watch(folder)
    const file = join(folder, 'a.js')
    await changes(() => writeFile(file, '1'))
    await changes(() => writeFile(file, '2'))
    await changes(() => rename(file, join(folder, 'b.js')))
    await changes(() => rm(join(folder, 'b.js')))
    expect(errors).toEqual([])
  })

  test('tells of files in a folder that was made after the watch began, however deep', async () => {
    const root = await makeTempFolder()
    const folder = join(root, '.weft', 'workflows')
    const { changes } = await watch(folder)
    await changes(() => mkdir(folder, { recursive: true }))
    await changes(() => writeFile(join(folder, 'a.js'), '1'))
  })

  test('goes on after its folder was deleted and made again', async () => {
    const root = await makeTempFolder()
    const folder = join(root, 'workflows')
    await mkdir(folder)
    const { changes, errors } = await watch(folder)
    await changes(() => rm(folder, { recursive: true }))
    await changes(() => mkdir(folder))
    await changes(() => writeFile(join(folder, 'a.js'), '1'))
    expect(errors).toEqual([])
  })

  test('says nothing of what happens beside the folder', async () => {
    const root = await makeTempFolder()
    const folder = join(root, 'workflows')
    let told = 0
    onTestFinished(
      watchFolder(
        folder,
        () => told++,
        () => undefined,
      ),
    )
    await writeFile(join(root, 'other.js'), '1')
    // A change that is told proves that the ones before it have been looked at.
    const { changes } = await watch(root)
    await changes(() => writeFile(join(root, 'third.js'), '1'))
    expect(told).toBe(0)
  })
})
