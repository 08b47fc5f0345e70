// The open files: read, edited, checked, saved. A file that changed on disk is reloaded when its text is clean,
// and shown as a conflict when it is not; nothing the user typed is ever overwritten unasked.

import { createStore } from 'zustand/vanilla'
import {
  HostError,
  type Diagnostic,
  type HostClient,
  type HostErrorCode,
  type WorkflowFile,
} from '../../../shared/index.ts'
import { messageOf } from '../message-of.ts'
import type { Backup, Backups } from './backups.ts'
import { createDiagnoser, type Diagnoser } from './diagnoser.ts'
import { openedDocument, sortDiagnostics, type OpenDocument } from './document.ts'
import { createPlainBuffer, type TextBuffer } from './text-buffer.ts'

export type DocumentMap = ReadonlyMap<string, OpenDocument>

/** The hash of a file that is not there. */
const NO_FILE = ''

const isCode = (error: unknown, code: HostErrorCode): boolean => error instanceof HostError && error.code === code

interface Attached {
  buffer: TextBuffer
  savedText: string
  diagnoser: Diagnoser
}

export class Documents {
  readonly store = createStore<DocumentMap>(() => new Map())
  readonly #client: HostClient
  readonly #workspace: string
  readonly #backups: Backups
  readonly #attached = new Map<string, Attached>()

  constructor(client: HostClient, workspace: string, backups: Backups) {
    this.#client = client
    this.#workspace = workspace
    this.#backups = backups
  }

  get(path: string): OpenDocument | undefined {
    return this.store.getState().get(path)
  }

  /** The text as it stands in the editor. */
  textOf(path: string): string {
    return this.#attached.get(path)?.buffer.getText() ?? ''
  }

  /** Reads the file unless it is open already. Rejects with HostError. */
  async open(path: string): Promise<void> {
    if (this.#attached.has(path)) return
    const [backup, file] = await this.#read(path)
    if (this.#attached.has(path)) return
    const diagnoser = createDiagnoser({
      client: this.#client,
      workspace: this.#workspace,
      fileName: file.fileName,
      getText: () => this.textOf(path),
      onDiagnosis: ({ meta, diagnostics }) =>
        this.#patch(path, { meta, diagnostics: sortDiagnostics(diagnostics), checkError: null }),
      onError: (error) => this.#patch(path, { checkError: messageOf(error) }),
    })
    const text = backup?.text ?? file.text
    this.#attached.set(path, { buffer: createPlainBuffer(text), savedText: file.text, diagnoser })
    const document = openedDocument(file)
    if (backup !== undefined && text !== file.text) {
      document.dirty = true
      if (file.hash !== NO_FILE) document.hash = backup.hash
      if (document.hash !== file.hash) document.conflict = file
    } else if (backup !== undefined) this.#backups.drop(path)
    this.store.setState((documents) => new Map(documents).set(path, document), true)
    diagnoser.requestNow()
  }

  /** Makes a new file. Rejects with CONFLICT when there is one of that path. */
  async create(path: string, text: string): Promise<void> {
    await this.#client.call('workflows.save', { path, text, baseHash: null })
  }

  /** The editor's model takes the text over. */
  attach(path: string, buffer: TextBuffer): void {
    const known = this.#attached.get(path)
    if (known !== undefined) this.#attached.set(path, { ...known, buffer })
  }

  /** To be called after each edit. */
  textChanged(path: string): void {
    const known = this.#attached.get(path)
    if (known === undefined) return
    known.diagnoser.request()
    const dirty = known.buffer.getText() !== known.savedText
    if (dirty) this.#backups.schedule(path, () => ({ text: this.textOf(path), hash: this.get(path)?.hash ?? '' }))
    else this.#backups.drop(path)
    if (this.get(path)?.dirty !== dirty) this.#patch(path, { dirty })
  }

  /** Mends what a check found, by its own edit. */
  applyFix(path: string, { range, text }: NonNullable<Diagnostic['fix']>): void {
    this.#attached.get(path)?.buffer.edit(range, text)
    this.textChanged(path)
  }

  /** Saves the text. Resolves false when the file on disk is another by now: then `conflict` holds it. Rejects with HostError. */
  async save(path: string): Promise<boolean> {
    const document = this.get(path)
    if (document === undefined || document.saving) return true
    return this.#saveOver(path, document.hash)
  }

  /** Ends a conflict in favour of this text. */
  async keepMine(path: string): Promise<void> {
    const conflict = this.get(path)?.conflict
    if (conflict) await this.#saveOver(path, conflict.hash)
  }

  /** Ends a conflict in favour of the file on disk; undo brings the own text back. */
  takeTheirs(path: string): void {
    const conflict = this.get(path)?.conflict
    if (conflict) this.#replaceText(path, conflict)
  }

  /** Files may have changed on disk. */
  async checkDisk(): Promise<void> {
    await Promise.all([...this.#attached.keys()].map((path) => this.#checkOne(path)))
  }

  /** Forgets the file, and unsaved text with it. */
  close(path: string): void {
    const known = this.#attached.get(path)
    if (known === undefined) return
    this.#attached.delete(path)
    this.#backups.drop(path)
    known.diagnoser.dispose()
    known.buffer.dispose()
    this.store.setState((documents) => {
      const rest = new Map(documents)
      rest.delete(path)
      return rest
    }, true)
  }

  /** The file and its unsaved text; a file that is gone is empty where there is unsaved text to be shown. */
  async #read(path: string): Promise<[Backup | undefined, WorkflowFile]> {
    const [backup, file] = await Promise.allSettled([
      this.#backups.find(path),
      this.#client.call('workflows.read', { path }),
    ])
    const unsaved = backup.status === 'fulfilled' ? backup.value : undefined
    if (file.status === 'fulfilled') return [unsaved, file.value]
    if (unsaved === undefined || !isCode(file.reason, 'NOT_FOUND')) throw file.reason
    const fileName = path.split(/[\\/]/).at(-1) ?? path
    return [unsaved, { path, fileName, text: '', hash: NO_FILE, writable: true }]
  }

  async #saveOver(path: string, baseHash: string): Promise<boolean> {
    const text = this.textOf(path)
    this.#patch(path, { saving: true })
    try {
      const base = baseHash === NO_FILE ? null : baseHash
      this.#settle(path, await this.#client.call('workflows.save', { path, text, baseHash: base }))
      return true
    } catch (error) {
      if (!isCode(error, 'CONFLICT')) throw error
      return await this.#settleConflict(path, text)
    } finally {
      this.#patch(path, { saving: false })
    }
  }

  /** What is on disk becomes the conflict; a file that is gone is written anew. */
  async #settleConflict(path: string, text: string): Promise<boolean> {
    try {
      this.#patch(path, { conflict: await this.#client.call('workflows.read', { path }) })
      return false
    } catch (error) {
      if (!isCode(error, 'NOT_FOUND')) throw error
      this.#settle(path, await this.#client.call('workflows.save', { path, text, baseHash: null }))
      return true
    }
  }

  async #checkOne(path: string): Promise<void> {
    const before = this.get(path)
    if (before === undefined || before.saving) return
    let file: WorkflowFile
    try {
      file = await this.#client.call('workflows.read', { path })
    } catch {
      // A file that is gone keeps its tab and its text: saving brings it back.
      return
    }
    const document = this.get(path)
    if (document === undefined || document.saving || file.hash === document.hash) return
    if (document.dirty) this.#patch(path, { conflict: file })
    else this.#replaceText(path, file)
  }

  #replaceText(path: string, file: WorkflowFile): void {
    const known = this.#attached.get(path)
    if (known === undefined) return
    this.#settle(path, file)
    known.buffer.setText(file.text)
    this.textChanged(path)
  }

  #settle(path: string, file: WorkflowFile): void {
    const known = this.#attached.get(path)
    if (known === undefined) return
    known.savedText = file.text
    const dirty = known.buffer.getText() !== file.text
    if (!dirty) this.#backups.drop(path)
    this.#patch(path, { hash: file.hash, writable: file.writable, conflict: null, dirty })
  }

  #patch(path: string, change: Partial<OpenDocument>): void {
    this.store.setState((documents) => {
      const known = documents.get(path)
      return known === undefined ? documents : new Map(documents).set(path, { ...known, ...change })
    }, true)
  }
}
