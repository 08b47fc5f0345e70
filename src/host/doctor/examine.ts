// The health of a data folder, with its host or without one.

import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DoctorReport, IntegrityReport } from '../../shared/index.ts'
import { checkDatabase, StoreError } from '../../store/index.ts'
import { findLeftovers } from './inspect-folder.ts'

/** What a host knows of itself. */
export interface HostFacts {
  pid: number
  version: string
  socket: string | null
}

export interface Examination {
  dataDir: string
  env: Readonly<Record<string, string | undefined>>
  platform: string
  /** Null when no host runs. */
  host: HostFacts | null
  check: () => Promise<IntegrityReport>
}

export async function examine({ dataDir, env, platform, host, check }: Examination): Promise<DoctorReport> {
  const socket = host?.socket ?? null
  return {
    host: host && { pid: host.pid, socket, version: host.version },
    dataDir,
    integrity: await checkSafely(check),
    disk: { freeBytes: await readFreeBytes(dataDir) },
    leftovers: findLeftovers({ dataDir, env, platform, socket, owned: host !== null, now: Date.now() }),
  }
}

/** Without a host: the database is only read. A data folder that does not exist yet is healthy. */
export function examineFolder(options: {
  dataDir: string
  env: Readonly<Record<string, string | undefined>>
  writerWorker: string | URL
}): Promise<DoctorReport> {
  const { dataDir, env, writerWorker } = options
  const file = join(dataDir, 'weft.db')
  const check = async (): Promise<IntegrityReport> =>
    existsSync(file) ? checkDatabase({ file, writerWorker }) : { ...NOTHING, ok: true }
  return examine({ dataDir, env, platform: process.platform, host: null, check })
}

const NOTHING: IntegrityReport = { ok: false, problems: [], databaseBytes: 0, logBytes: 0, freeBytes: 0, runs: 0 }

/** A database that can't even be opened is a finding, not a failure. */
async function checkSafely(check: () => Promise<IntegrityReport>): Promise<IntegrityReport> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code === 'CLOSED') throw error
    return { ...NOTHING, problems: [error.message] }
  }
}

async function readFreeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch {
    return null
  }
}
