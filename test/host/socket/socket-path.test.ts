import { join } from 'node:path'
import { chmod, mkdir, stat, symlink } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { prepareSocketFolder, socketPaths } from '../../../src/host/socket/socket-path.ts'
import { makeTempFolder } from '../../support/host/temp-folder.ts'

const linux = { env: {}, platform: 'linux' }

const socketPath = (...args: Parameters<typeof socketPaths>): string => socketPaths(...args)[0] ?? 'nowhere'

describe('the path of the socket', () => {
  test('is in the runtime folder where there is one, one for each data folder', () => {
    const env = { XDG_RUNTIME_DIR: '/run/user/1000' }
    const path = socketPath('/data/weft', { ...linux, env })
    expect(path).toMatch(/^\/run\/user\/1000\/weft\/[0-9a-f]{16}\.sock$/)
    expect(socketPath('/data/other', { ...linux, env })).not.toBe(path)
    expect(socketPath('/data/./weft/', { ...linux, env })).toBe(path)
  })

  test('is under the data folder without a runtime folder, or with one that is no absolute path', () => {
    expect(socketPath('/data/weft', linux)).toBe('/data/weft/socket/host.sock')
    expect(socketPath('/data/weft', { ...linux, env: { XDG_RUNTIME_DIR: 'run' } })).toBe('/data/weft/socket/host.sock')
  })

  test('is never longer than systems take', () => {
    const path = socketPath(`/data/${'x'.repeat(120)}`, linux)
    expect(path).toMatch(/\/weft-\w+\/[0-9a-f]{16}\.sock$/)
    expect(path.length).toBeLessThan(104)
  })

  test('is a named pipe on Windows', () => {
    expect(socketPath('C:\\data', { ...linux, platform: 'win32' })).toMatch(/^\\\\\.\\pipe\\weft-[0-9a-f]{16}$/)
  })

  test('is the same through a link to the data folder', async () => {
    const folder = await makeTempFolder()
    await mkdir(join(folder, 'data'))
    await symlink(join(folder, 'data'), join(folder, 'link'))
    const env = { XDG_RUNTIME_DIR: '/run/user/1000' }
    expect(socketPath(join(folder, 'link'), { ...linux, env })).toBe(
      socketPath(join(folder, 'data'), { ...linux, env }),
    )
  })
})

describe('the folder of the socket', () => {
  test('is closed to others even when it was open before', async () => {
    const folder = join(await makeTempFolder(), 'weft')
    await mkdir(folder)
    await chmod(folder, 0o777)
    prepareSocketFolder(join(folder, 'x.sock'), 'linux')
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('is refused when it is a link', async () => {
    const root = await makeTempFolder()
    await symlink(root, join(root, 'weft'))
    expect(() => prepareSocketFolder(join(root, 'weft', 'x.sock'), 'linux')).toThrow(/belongs to another user/)
  })
})
