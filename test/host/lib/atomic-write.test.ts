import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFileAtomic } from '../../../src/host/lib/atomic-write.ts'
import { makeTempFolder } from '../../support/host/temp-folder.ts'

test('an atomic write replaces the text, keeps the mode and leaves nothing else', async () => {
  const folder = await makeTempFolder()
  const file = join(folder, 'a.js')
  await writeFile(file, 'old')
  await chmod(file, 0o600)
  await writeFileAtomic(file, 'new ü\r\n')
  expect(await readFile(file, 'utf8')).toBe('new ü\r\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['a.js'])
})

test('a write that fails leaves the old text and no temporary file', async () => {
  const folder = await makeTempFolder()
  // A folder that is not empty can't be replaced by a file.
  await writeFile(join(folder, 'keep'), '')
  await expect(writeFileAtomic(folder, 'x')).rejects.toThrow()
  expect(await readdir(folder)).toEqual(['keep'])
})
