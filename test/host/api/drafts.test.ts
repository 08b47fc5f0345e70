import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Drafts } from '../../../src/host/drafts/drafts.ts'
import { shareHost, writeFileIn } from '../../support/host/make-host.ts'
import { makeTempFolder } from '../../support/host/temp-folder.ts'

const shared = shareHost()

test('unsaved text is kept for the files of a session until it is dropped', async () => {
  const { session, folders } = shared()
  const path = join(folders.workspace, 'workflows/a.js')
  await session.call('drafts.write', { path, text: 'typed', baseHash: 'h' })
  expect(await session.call('drafts.list', {})).toEqual({ paths: [path] })
  expect(await session.call('drafts.read', { path })).toEqual({ draft: { path, text: 'typed', baseHash: 'h' } })
  await session.call('drafts.drop', { path })
  expect(await session.call('drafts.read', { path })).toEqual({ draft: null })
  expect(await session.call('drafts.list', {})).toEqual({ paths: [] })
})

test('files that a session may not write have no drafts there', async () => {
  const { host, session, folders } = shared()
  const refused = { code: 'NOT_ALLOWED' }
  const draft = { text: 'x', baseHash: 'h' }
  const bundled = await writeFileIn(folders.bundledWorkflows, 'b.js', '')
  for (const path of [join(folders.root, 'outside.js'), bundled])
    await expect(session.call('drafts.write', { path, ...draft })).rejects.toMatchObject(refused)
  const path = join(folders.workspace, 'mine.js')
  await session.call('drafts.write', { path, ...draft })
  const other = host.openSession({ kind: 'test', workspace: folders.home })
  expect(await other.call('drafts.list', {})).toEqual({ paths: [] })
  await expect(other.call('drafts.read', { path })).rejects.toMatchObject(refused)
  other.close()
})

test('drafts are for their user alone, the last write counts, and damaged ones are as good as none', async () => {
  const folder = join(await makeTempFolder(), 'drafts')
  const drafts = new Drafts(folder)
  const texts = ['a', 'ab', 'abc']
  await Promise.all(texts.map((text) => drafts.write({ path: '/x.js', text, baseHash: '' })))
  expect((await drafts.read('/x.js'))?.text).toBe('abc')
  const [name = ''] = await readdir(folder)
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  await writeFile(join(folder, name), '{"path"')
  expect({ one: await drafts.read('/x.js'), all: await drafts.list() }).toEqual({ one: null, all: [] })
})
