import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBackups } from '../../../../src/renderer/state/documents/backups.ts'
import { Documents } from '../../../../src/renderer/state/documents/documents.ts'
import { createMemory } from '../../../../src/renderer/state/storage.ts'
import { HostError, type Draft, type WorkflowFile } from '../../../../src/shared/index.ts'
import { FakeHost } from '../../../support/renderer/fake-host.ts'
import { MapStorage } from '../../../support/renderer/map-storage.ts'

const PATH = '/workspace/workflows/sample.js'

/** A disk of one file, with the host's rule: saving over another version is a conflict. */
function diskWith(text: string) {
  const disk = { text }
  const drafts = new Map<string, Draft>()
  const file = (): WorkflowFile => ({
    path: PATH,
    fileName: 'sample.js',
    text: disk.text,
    hash: `hash of ${disk.text}`,
    writable: true,
  })
  const host = new FakeHost({
    'workflows.read': file,
    'workflows.save': ({ text: next, baseHash }) => {
      if (baseHash !== file().hash) throw new HostError({ code: 'CONFLICT', message: 'changed on disk' })
      disk.text = next
      return file()
    },
    'script.diagnose': () => ({ meta: null, diagnostics: [] }),
    ...draftsIn(drafts),
  })
  return { disk, drafts, host }
}

function openOn(host: FakeHost, storage = new MapStorage()) {
  const documents = new Documents(host, '/workspace', createBackups(host, createMemory(storage)))
  const type = (text: string): void => {
    buffer.text = text
    documents.textChanged(PATH)
  }
  const buffer = {
    text: '',
    getText: () => buffer.text,
    setText: (text: string) => void (buffer.text = text),
    edit: vi.fn(),
    dispose: vi.fn(),
  }
  const open = async (): Promise<void> => {
    await documents.open(PATH)
    buffer.text = documents.textOf(PATH)
    documents.attach(PATH, buffer)
  }
  return { documents, buffer, type, open, document: () => documents.get(PATH) }
}

describe('an open file', () => {
  it('is dirty while its text is not that on disk', async () => {
    const { open, type, document } = openOn(diskWith('a').host)
    await open()
    expect(document()?.dirty).toBe(false)
    type('ab')
    expect(document()?.dirty).toBe(true)
    type('a')
    expect(document()?.dirty).toBe(false)
  })

  it('is clean after saving, with the new text on disk', async () => {
    const { disk, host } = diskWith('a')
    const { open, type, documents, document } = openOn(host)
    await open()
    type('ab')
    expect(await documents.save(PATH)).toBe(true)
    expect({ disk: disk.text, dirty: document()?.dirty, saving: document()?.saving }).toEqual({
      disk: 'ab',
      dirty: false,
      saving: false,
    })
  })

  it('stays dirty when more is typed while it is being saved', async () => {
    const { host } = diskWith('a')
    const { open, type, documents, document } = openOn(host)
    await open()
    type('ab')
    const saved = documents.save(PATH)
    type('abc')
    await saved
    expect(document()?.dirty).toBe(true)
  })

  it('shows a conflict instead of saving over what someone else wrote', async () => {
    const { disk, host } = diskWith('a')
    const { open, type, documents, document } = openOn(host)
    await open()
    type('mine')
    disk.text = 'theirs'
    expect(await documents.save(PATH)).toBe(false)
    expect({ disk: disk.text, conflict: document()?.conflict?.text }).toEqual({ disk: 'theirs', conflict: 'theirs' })
    await documents.keepMine(PATH)
    expect({ disk: disk.text, conflict: document()?.conflict, dirty: document()?.dirty }).toEqual({
      disk: 'mine',
      conflict: null,
      dirty: false,
    })
  })

  it("takes the other's text on request", async () => {
    const { disk, host } = diskWith('a')
    const { open, type, documents, buffer, document } = openOn(host)
    await open()
    type('mine')
    disk.text = 'theirs'
    await documents.checkDisk()
    documents.takeTheirs(PATH)
    expect({ text: buffer.text, dirty: document()?.dirty, conflict: document()?.conflict }).toEqual({
      text: 'theirs',
      dirty: false,
      conflict: null,
    })
  })

  it('is reloaded when it changes on disk and is clean', async () => {
    const { disk, host } = diskWith('a')
    const { open, documents, buffer, document } = openOn(host)
    await open()
    disk.text = 'theirs'
    await documents.checkDisk()
    expect({ text: buffer.text, dirty: document()?.dirty }).toEqual({ text: 'theirs', dirty: false })
    expect(document()?.hash).toBe('hash of theirs')
  })

  it('keeps its text when the file is gone', async () => {
    const { host } = diskWith('a')
    const { open, documents, document } = openOn(host)
    await open()
    host.handlers['workflows.read'] = () => Promise.reject(new HostError({ code: 'NOT_FOUND', message: 'gone' }))
    await documents.checkDisk()
    expect({ text: documents.textOf(PATH), conflict: document()?.conflict }).toEqual({ text: 'a', conflict: null })
  })

  it('is written anew when it was deleted meanwhile', async () => {
    const { disk, host } = diskWith('a')
    const { open, type, documents } = openOn(host)
    await open()
    type('b')
    host.handlers['workflows.read'] = () => Promise.reject(new HostError({ code: 'NOT_FOUND', message: 'gone' }))
    host.handlers['workflows.save'] = ({ path, text, baseHash }) => {
      if (baseHash !== null) throw new HostError({ code: 'CONFLICT', message: 'has been deleted' })
      disk.text = text
      return { path, fileName: 'sample.js', text, hash: `hash of ${text}`, writable: true }
    }
    expect(await documents.save(PATH)).toBe(true)
    expect(disk.text).toBe('b')
  })

  it('says what saving failed of', async () => {
    const { host } = diskWith('a')
    const { open, type, documents, document } = openOn(host)
    await open()
    type('b')
    host.handlers['workflows.save'] = () => Promise.reject(new HostError({ code: 'NOT_ALLOWED', message: 'read only' }))
    await expect(documents.save(PATH)).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    expect({ dirty: document()?.dirty, saving: document()?.saving }).toEqual({ dirty: true, saving: false })
  })

  it('disposes of its buffer with its tab', async () => {
    const { open, documents, buffer, document } = openOn(diskWith('a').host)
    await open()
    documents.close(PATH)
    expect(buffer.dispose).toHaveBeenCalledTimes(1)
    expect(document()).toBeUndefined()
  })
})

describe('unsaved text', () => {
  afterEach(() => vi.useRealTimers())

  it('is there again after a crash, still dirty', async () => {
    vi.useFakeTimers()
    const { host, drafts } = diskWith('a')
    const before = openOn(host)
    await before.open()
    before.type('unsaved')
    await vi.advanceTimersByTimeAsync(1000)
    expect(drafts.get(PATH)).toEqual({ path: PATH, text: 'unsaved', baseHash: 'hash of a' })
    // Another page, another storage: the host alone knows of it.
    const after = openOn(host)
    await after.open()
    expect({ text: after.documents.textOf(PATH), dirty: after.document()?.dirty }).toEqual({
      text: 'unsaved',
      dirty: true,
    })
  })

  it('is kept by the page while the host is away', async () => {
    vi.useFakeTimers()
    const { host } = diskWith('a')
    const storage = new MapStorage()
    const before = openOn(host, storage)
    await before.open()
    host.handlers['drafts.write'] = () => Promise.reject(new HostError({ code: 'CLOSED', message: 'away' }))
    before.type('unsaved')
    await vi.advanceTimersByTimeAsync(1000)
    const after = openOn(host, storage)
    await after.open()
    expect(after.documents.textOf(PATH)).toBe('unsaved')
  })

  it('comes back as a conflict when the file on disk is another by then', async () => {
    const { disk, drafts, host } = diskWith('a')
    drafts.set(PATH, { path: PATH, text: 'unsaved', baseHash: 'hash of a' })
    disk.text = 'theirs'
    const { open, document } = openOn(host)
    await open()
    expect({ dirty: document()?.dirty, conflict: document()?.conflict?.text }).toEqual({
      dirty: true,
      conflict: 'theirs',
    })
  })

  it('outlives its file, and makes it anew when it is saved', async () => {
    const { disk, drafts, host } = diskWith('a')
    drafts.set(PATH, { path: PATH, text: 'unsaved', baseHash: 'hash of a' })
    host.handlers['workflows.read'] = () => Promise.reject(new HostError({ code: 'NOT_FOUND', message: 'gone' }))
    host.handlers['workflows.save'] = ({ path, text, baseHash }) => {
      expect(baseHash).toBeNull()
      disk.text = text
      return { path, fileName: 'sample.js', text, hash: `hash of ${text}`, writable: true }
    }
    const { documents, open, document } = openOn(host)
    await open()
    expect({ text: documents.textOf(PATH), dirty: document()?.dirty }).toEqual({ text: 'unsaved', dirty: true })
    expect(await documents.save(PATH)).toBe(true)
    expect({ disk: disk.text, dirty: document()?.dirty }).toEqual({ disk: 'unsaved', dirty: false })
  })

  it('is forgotten once it is saved or thrown away', async () => {
    const { host, drafts } = diskWith('a')
    const { open, type, documents } = openOn(host)
    await open()
    drafts.set(PATH, { path: PATH, text: 'b', baseHash: 'hash of a' })
    type('b')
    await documents.save(PATH)
    expect(drafts.size).toBe(0)
    drafts.set(PATH, { path: PATH, text: 'c', baseHash: 'hash of b' })
    documents.close(PATH)
    expect(drafts.size).toBe(0)
  })
})

/** The host's drafts. */
function draftsIn(drafts: Map<string, Draft>): FakeHost['handlers'] {
  return {
    'drafts.read': ({ path }) => ({ draft: drafts.get(path) ?? null }),
    'drafts.write': (draft) => {
      drafts.set(draft.path, draft)
      return {}
    },
    'drafts.drop': ({ path }) => {
      drafts.delete(path)
      return {}
    },
  }
}
