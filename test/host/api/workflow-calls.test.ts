import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WorkflowEntry } from '../../../src/shared/index.ts'
import { makeFolders, makeHost, writeFileIn, type Folders } from '../../support/host/make-host.ts'
import { script } from '../../support/host/scripts.ts'

async function list(folders: Folders): Promise<WorkflowEntry[]> {
  const { session } = await makeHost({ folders })
  return (await session.call('workflows.list', { workspace: folders.workspace })).workflows
}

describe('the list of workflows', () => {
  test('holds the files of all folders in their order, with what they say of themselves', async () => {
    const folders = await makeFolders()
    await writeFileIn(
      folders.bundledWorkflows,
      'review.js',
      script('review', 'return 1', ", whenToUse: 'before a merge'"),
    )
    await writeFileIn(folders.home, '.claude/workflows/b.js', script('b'))
    await writeFileIn(folders.configDir, 'workflows/c.js', script('c'))
    await writeFileIn(folders.workspace, '.claude/workflows/d.mjs', script('d'))
    await writeFileIn(folders.workspace, '.weft/workflows/e.ts', script('e'))
    await writeFileIn(folders.workspace, 'workflows/f.js', script('f'))
    const found = await list(folders)
    expect(found.map(({ name, source }) => [name, source])).toEqual([
      ['f', 'project'],
      ['e', 'weft'],
      ['d', 'claude'],
      ['c', 'user'],
      ['b', 'claude'],
      ['review', 'bundled'],
    ])
    expect(found.at(-1)).toEqual({
      name: 'review',
      description: 'a test',
      whenToUse: 'before a merge',
      path: join(folders.bundledWorkflows, 'review.js'),
      fileName: 'review.js',
      source: 'bundled',
      shadowedBy: null,
      error: null,
      argsSchema: null,
    })
  })

  test('is empty where there are no folders', async () => {
    expect(await list(await makeFolders())).toEqual([])
  })

  test('says who hides whom', async () => {
    const folders = await makeFolders()
    const own = await writeFileIn(folders.workspace, 'workflows/mine.js', script('review'))
    await writeFileIn(folders.bundledWorkflows, 'review.js', script('review'))
    await writeFileIn(folders.bundledWorkflows, 'other.js', script('other'))
    expect((await list(folders)).map(({ path, shadowedBy }) => [path, shadowedBy])).toEqual([
      [own, null],
      [join(folders.bundledWorkflows, 'other.js'), null],
      [join(folders.bundledWorkflows, 'review.js'), own],
    ])
  })

  test('leaves helpers out and shows broken files with their error, which hinder nobody', async () => {
    const folders = await makeFolders()
    await writeFileIn(folders.workspace, 'workflows/helpers.js', 'export function help() {}\n')
    await writeFileIn(folders.workspace, 'workflows/foreign.js', 'this is { not JavaScript\n')
    await writeFileIn(folders.workspace, 'workflows/broken.js', script('broken', 'const = BROKEN'))
    await writeFileIn(folders.workspace, 'workflows/fine.js', script('fine'))
    await writeFileIn(folders.workspace, 'workflows/notes.md', '# notes')
    await mkdir(join(folders.workspace, 'workflows/folder.js'))
    await symlink('/nowhere', join(folders.workspace, 'workflows/dangling.js'))
    const found = await list(folders)
    expect(found.map(({ fileName, error }) => [fileName, error])).toEqual([
      ['broken.js', expect.stringMatching(/^broken\.js:2:\d+: /)],
      ['fine.js', null],
    ])
  })

  test('does not follow links out of the workspace', async () => {
    const folders = await makeFolders()
    const secret = await writeFileIn(folders.root, 'secret.js', script('secret', 'return "s3cret"'))
    await mkdir(join(folders.workspace, 'workflows'))
    await symlink(secret, join(folders.workspace, 'workflows/a.js'))
    const found = await list(folders)
    expect(found).toMatchObject([{ name: 'a', description: null, error: expect.stringContaining('leads out of') }])
  })

  test('gives the schema of args that stands beside the script', async () => {
    const folders = await makeFolders()
    await writeFileIn(folders.workspace, 'workflows/a.js', script('a'))
    await writeFileIn(folders.workspace, 'workflows/a.args.schema.json', '{"type":"object"}')
    await writeFileIn(folders.workspace, 'workflows/b.js', script('b'))
    await writeFileIn(folders.workspace, 'workflows/b.args.schema.json', '{"type":')
    expect((await list(folders)).map(({ argsSchema }) => argsSchema)).toEqual([{ type: 'object' }, null])
  })

  test('sees an edit without a restart', async () => {
    const { session, folders } = await makeHost()
    const { workspace } = folders
    const path = await writeFileIn(workspace, 'workflows/a.js', script('before'))
    const names = async () => (await session.call('workflows.list', { workspace })).workflows.map(({ name }) => name)
    expect(await names()).toEqual(['before'])
    await writeFile(path, script('after'))
    expect(await names()).toEqual(['after'])
  })

  test('is refused for a workspace that is no folder', async () => {
    const { session, folders } = await makeHost()
    const missing = join(folders.root, 'missing')
    await expect(session.call('workflows.list', { workspace: missing })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: `The workspace ${missing} does not exist`,
    })
    await expect(session.call('workflows.list', { workspace: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('is told anew to those who look at it when a file changes', async () => {
    const { session, host, folders } = await makeHost()
    const { workspace } = folders
    const elsewhere = host.openSession({ kind: 'test', workspace: folders.root })
    elsewhere.on('workflows.changed', () => expect.unreachable('another workspace is no business of this session'))
    await elsewhere.call('workflows.list', { workspace: folders.root })
    const changed = new Promise((resolve) => session.on('workflows.changed', resolve))
    await session.call('workflows.list', { workspace })
    await writeFileIn(workspace, '.weft/workflows/new.js', script('new'))
    expect(await changed).toEqual({ workspace })
  })
})

describe('workflow files', () => {
  test('are read whole, with the hash that a save is judged by', async () => {
    const { session, folders } = await makeHost()
    const text = `\uFEFF${script('ä')}\r\n`
    const path = await writeFileIn(folders.workspace, 'workflows/a.js', text)
    expect(await session.call('workflows.read', { path })).toEqual({
      path,
      fileName: 'a.js',
      text,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      writable: true,
    })
  })

  test('are saved by who knows what is there', async () => {
    const { session, folders } = await makeHost()
    const path = join(folders.workspace, '.weft/workflows/new.js')
    const first = await session.call('workflows.save', { path, text: 'one', baseHash: null })
    const second = await session.call('workflows.save', { path, text: 'two', baseHash: first.hash })
    expect(await readFile(path, 'utf8')).toBe('two')
    expect((await session.call('workflows.read', { path })).hash).toBe(second.hash)
  })

  test('that were changed, made or deleted meanwhile are not overwritten', async () => {
    const { session, folders } = await makeHost()
    const path = await writeFileIn(folders.workspace, 'workflows/a.js', 'one')
    const { hash } = await session.call('workflows.read', { path })
    await writeFile(path, 'by hand')
    const save = (baseHash: string | null) => session.call('workflows.save', { path, text: 'mine', baseHash })
    await expect(save(hash)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('has been changed'),
    })
    await expect(save(null)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('exists already'),
    })
    expect(await readFile(path, 'utf8')).toBe('by hand')
    await rm(path)
    await expect(save(hash)).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('deleted') })
  })

  test('that Weft brings are read only', async () => {
    const { session, folders } = await makeHost()
    const path = await writeFileIn(folders.bundledWorkflows, 'a.js', 'one')
    const file = await session.call('workflows.read', { path })
    expect(file.writable).toBe(false)
    const save = session.call('workflows.save', { path, text: 'two', baseHash: file.hash })
    await expect(save).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    expect(await readFile(path, 'utf8')).toBe('one')
  })

  test('stay read only when the workspace contains them', async () => {
    const folders = await makeFolders()
    const path = await writeFileIn(folders.bundledWorkflows, 'a.js', 'one')
    const { session } = await makeHost({ folders, identity: { workspace: folders.root } })
    expect((await session.call('workflows.read', { path })).writable).toBe(false)
  })

  test('outside the workspace and the workflow folders are out of reach, by links and dots too', async () => {
    const { session, folders } = await makeHost()
    const { workspace, root } = folders
    const outside = await writeFileIn(root, 'outside.js', 'secret')
    await symlink(outside, join(workspace, 'link.js'))
    await symlink(root, join(workspace, 'folder'))
    const paths = [
      outside,
      join(workspace, 'link.js'),
      join(workspace, 'folder/outside.js'),
      join(workspace, 'folder/new.js'),
      `${workspace}/../outside.js`,
      `${workspace}-other/a.js`,
    ]
    for (const path of paths) {
      const read = session.call('workflows.read', { path })
      await expect(read, path).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
      const save = session.call('workflows.save', { path, text: 'x', baseHash: null })
      await expect(save, path).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    }
    expect(await readFile(outside, 'utf8')).toBe('secret')
    await expect(session.call('workflows.read', { path: 'a.js' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('are scripts and JSON, never other files, not even by a link', async () => {
    const { session, folders } = await makeHost()
    const env = await writeFileIn(folders.workspace, '.env', 'TOKEN=1')
    await symlink(env, join(folders.workspace, 'env.js'))
    for (const path of [env, join(folders.workspace, 'env.js')]) {
      await expect(session.call('workflows.read', { path })).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    }
  })

  test('that are missing are said to be', async () => {
    const { session, folders } = await makeHost()
    const path = join(folders.workspace, 'a.js')
    await expect(session.call('workflows.read', { path })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no file ${path}`,
    })
  })

  test('that a client was opened for may be anywhere', async () => {
    const folders = await makeFolders()
    const open = await writeFileIn(folders.root, 'elsewhere/a.js', 'one')
    const { session } = await makeHost({ folders, identity: { open } })
    expect(await session.call('workflows.read', { path: open })).toMatchObject({ text: 'one', writable: true })
    const beside = await writeFileIn(folders.root, 'elsewhere/b.js', 'two')
    await expect(session.call('workflows.read', { path: beside })).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
  })
})
