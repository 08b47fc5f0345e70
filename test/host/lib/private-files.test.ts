import { chmod, chown, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeFile, closeFolder, makePrivateFile } from '../../../src/host/lib/private-files.ts'
import { makeTempFolder } from '../../support/host/temp-folder.ts'

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

async function makeOpenFolder(...entries: string[]): Promise<string> {
  const folder = await makeTempFolder()
  for (const name of entries) await writeFile(join(folder, name), '')
  await chmod(folder, 0o755)
  return folder
}

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  test('that others may look into is closed when it holds nothing but what Weft keeps', async () => {
    const folder = await makeOpenFolder('weft.db', 'weft.db-wal', 'weft.db.schema-1.backup', 'lock.db', 'settings.json')
    for (const name of ['runs', 'worktrees', 'logs', 'electron']) await mkdir(join(folder, name))
    expect(closeFolder(folder)).toEqual({ closed: true })
    expect(await modeOf(folder)).toBe('700')
    expect(closeFolder(folder)).toEqual({ closed: false })
  })

  test('that also holds other things stays open, and what to do is said', async () => {
    const folder = await makeOpenFolder('weft.db', 'photos.txt')
    expect(closeFolder(folder)).toEqual({
      closed: false,
      problem: `other users of this machine may look into ${folder} (mode 755). It also holds what is not Weft's (photos.txt), so it was left like that: run chmod 700 on it, or choose a data folder of its own`,
    })
    expect(await modeOf(folder)).toBe('755')
  })

  test.skipIf(process.getuid?.() !== 0)('of somebody else stays open, and what to do is said', async () => {
    const folder = await makeOpenFolder()
    await chown(folder, 12345, 12345)
    expect(closeFolder(folder).problem).toContain('it is not yours to close: choose a data folder of your own')
    expect(await modeOf(folder)).toBe('755')
  })
})

describe.skipIf(process.platform === 'win32')('a file for its user alone', () => {
  test.each([0o000, 0o022, 0o377])('is made with mode 600 under umask %o', async (umask) => {
    const file = join(await makeTempFolder(), 'weft.db')
    const before = process.umask(umask)
    onTestFinished(() => void process.umask(before))
    makePrivateFile(file)
    expect(await modeOf(file)).toBe('600')
  })

  test('loses the rights of others when it was there already, and its text stays', async () => {
    const folder = await makeTempFolder()
    const file = join(folder, 'weft.db')
    await writeFile(file, 'kept')
    await chmod(file, 0o644)
    await symlink(file, join(folder, 'link.db'))
    makePrivateFile(join(folder, 'link.db'))
    expect([await modeOf(file), (await stat(file)).size]).toEqual(['600', 4])
  })

  test('need not be there to be closed, and a folder is none', async () => {
    const folder = await makeOpenFolder()
    closeFile(join(folder, 'missing'))
    closeFile(folder)
    expect(await modeOf(folder)).toBe('755')
  })
})
