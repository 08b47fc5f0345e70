import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shareHost, writeFileIn } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'

const shared = shareHost()

/** A script with both its companions, under a name of its own. */
async function addScript(name: string) {
  const { folders, session } = shared()
  const path = await writeFileIn(folders.workspace, `${name}/${name}.js`, script(name))
  await writeFileIn(folders.workspace, `${name}/${name}.fixtures.json`, '{"calls":[]}')
  await writeFileIn(folders.workspace, `${name}/${name}.args.schema.json`, '{}')
  const list = (): Promise<string[]> => readdir(dirname(path)).then((names) => names.sort())
  return { path, folder: dirname(path), list, session, folders }
}

describe('renaming', () => {
  test('takes fixtures and args schema along', async () => {
    const { path, folder, list, session } = await addScript('first')
    const file = await session.call('workflows.rename', { path, to: join(folder, 'second.js') })
    expect(file).toMatchObject({ path: join(folder, 'second.js'), fileName: 'second.js', writable: true })
    expect(await list()).toEqual(['second.args.schema.json', 'second.fixtures.json', 'second.js'])
  })

  test('is refused when a name is taken, and then has moved nothing', async () => {
    const { path, folder, list, session } = await addScript('taken')
    await writeFile(join(folder, 'other.fixtures.json'), '{}')
    const before = await list()
    await expect(session.call('workflows.rename', { path, to: join(folder, 'other.js') })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('other.fixtures.json exists already'),
    })
    expect(await list()).toEqual(before)
  })

  test('stays within the workspace, links included, and leaves bundled workflows alone', async () => {
    const { path, folder, session, folders } = await addScript('inside')
    const bundled = await writeFileIn(folders.bundledWorkflows, 'bundled.js', script('bundled'))
    await symlink(folders.root, join(folder, 'out'))
    const refused = { code: 'NOT_ALLOWED' }
    for (const to of [join(folders.root, 'x.js'), join(folder, 'out/x.js'), join(folder, 'x.sh')])
      await expect(session.call('workflows.rename', { path, to })).rejects.toMatchObject(refused)
    await expect(session.call('workflows.rename', { path: bundled, to: path })).rejects.toMatchObject(refused)
  })
})

describe('deleting', () => {
  test('takes fixtures and args schema along and says so', async () => {
    const { path, folder, list, session } = await addScript('gone')
    const { hash: baseHash } = await session.call('workflows.read', { path })
    expect(await session.call('workflows.delete', { path, baseHash })).toEqual({
      deleted: [path, join(folder, 'gone.fixtures.json'), join(folder, 'gone.args.schema.json')],
    })
    expect(await list()).toEqual([])
  })

  test('is refused when the file has changed since', async () => {
    const { path, list, session } = await addScript('changed')
    const { hash: baseHash } = await session.call('workflows.read', { path })
    await writeFile(path, script('changed', 'return 2'))
    await expect(session.call('workflows.delete', { path, baseHash })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await list()).toHaveLength(3)
    expect(await readFile(path, 'utf8')).toContain('return 2')
  })
})
