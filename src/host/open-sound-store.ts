// Opens the store of a data folder. A database that is damaged does not keep the host from starting: what can be read of it
// becomes a new one, the old one is kept beside it, and what was lost is told.

import { existsSync, renameSync, rmSync } from 'node:fs'
import type { Logger } from '../engine/index.ts'
import { openStore, salvageDatabase, StoreError, type OpenStoreOptions, type Store } from '../store/index.ts'

export interface SoundStoreOptions {
  file: string
  writerWorker: OpenStoreOptions['writerWorker']
  logger: Logger
  /** Called with what happened to a database that had to be mended, and what was lost. */
  onMended?(message: string): void
}

/** What comes with a database while it is open, or after its host was killed. */
const PARTS = ['', '-wal', '-shm'] as const

/** Rejects with StoreError for everything but damage: a locked file, a full disk, another program's database. */
export async function openSoundStore({ file, writerWorker, logger, onMended }: SoundStoreOptions): Promise<Store> {
  const open = (): Promise<Store> =>
    openStore({ file, writerWorker, onError: (error) => logger.error('The store failed', { error }) })
  try {
    return await open()
  } catch (error) {
    if (!isDamage(error)) throw error
    const message = await mend(file, writerWorker, error)
    logger.error(message)
    onMended?.(message)
    return open()
  }
}

function isDamage(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.code === 'DAMAGED' || error.code === 'NOT_A_DATABASE')
}

/** Answers with what happened, in words. The damaged files are only renamed. */
async function mend(file: string, writerWorker: OpenStoreOptions['writerWorker'], damage: StoreError): Promise<string> {
  const target = `${file}.mended`
  for (const part of PARTS) rmSync(`${target}${part}`, { force: true })
  const kept = freeName(`${file}.damaged-${new Date().toISOString().replace(/[:.]/g, '-')}`)
  let saved: string
  try {
    const { runs, lost, cut } = await salvageDatabase({ file, writerWorker, target })
    const ends = cut.length === 0 ? '' : ` The end of the log is lost of ${cut.join(', ')}.`
    const parts = lost.length === 0 ? '' : ` Not read to its end: ${lost.join('; ')}`
    saved = `What can be read is in use: ${runs} ${runs === 1 ? 'run' : 'runs'}.${ends}${parts}`
  } catch (error) {
    // Not for want of space, or because somebody has it open: then nothing may be moved.
    if (!isDamage(error)) throw error
    saved = `Nothing of it can be read, so the history begins anew. ${error.message}`
  }
  for (const part of PARTS) if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${kept}${part}`)
  if (existsSync(target)) renameSync(target, file)
  return `${damage.message} It is kept as ${kept}. ${saved}`
}

function freeName(name: string): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`
    if (!existsSync(candidate)) return candidate
  }
}
