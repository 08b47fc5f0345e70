import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readOwner } from '../../../src/host/index.ts'
import { makeFolders, makeHost } from '../../support/host/make-host.ts'

const NOBODY = 65_534
const cat = (path: string, as: object) =>
  spawnSync('/bin/sh', ['-c', 'cat -- "$1" >/dev/null; : >> "$2"', 'sh', path, path], { encoding: 'utf8', ...as })

test.runIf(process.platform !== 'win32' && process.getuid?.() === 0)(
  'another user of the machine reaches neither the socket nor what opens it, wherever the folders are',
  async () => {
    const folders = await makeFolders()
    // Only what the host itself closes counts.
    chmodSync(folders.root, 0o777)
    chmodSync(folders.dataDir, 0o777)
    await makeHost({ folders, socket: true })
    const socket = readOwner(folders.dataDir)?.socket ?? expect.unreachable('it listens')
    for (const path of [join(folders.dataDir, 'token'), join(folders.dataDir, 'weft.db'), socket]) {
      const { stderr } = cat(path, { uid: NOBODY, gid: NOBODY })
      expect({ path, refused: stderr.match(/Permission denied/g)?.length }).toEqual({ path, refused: 2 })
    }
    // That the question is asked rightly: its own user is refused nothing.
    expect(cat(join(folders.dataDir, 'weft.db'), {}).stderr).toBe('')
  },
)
