// The health of a data folder, with its host or without one.

import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DoctorReport, IntegrityReport } from '../../shared/index.ts'
import { checkDatabase, StoreError } from '../../store/index.ts'
import { readOwner } from '../lock/read-owner.ts'
import { findLeftovers } from './inspect-folder.ts'

/** What a host knows of itself. */
interface HostFacts {
  pid: number
  version: string
  socket: string | null
}

interface Examination {
  dataDir: string
  env: Readonly<Record<string, string | undefined>>
  platform: string
  /** Null when no host runs. */
  host: HostFacts | null
  check: () => Promise<IntegrityReport>
  /** Whether there is a run of that id; a host knows. */
  isRun?: (runId: string) => boolean
}

export async function examine({ dataDir, env, platform, host, check, isRun }: Examination): Promise<DoctorReport> {
  const socket = host?.socket ?? null
  return {
    host: host && { pid: host.pid, socket, version: host.version },
    dataDir,
    integrity: await checkSafely(check),
    disk: { freeBytes: await readFreeBytes(dataDir) },
    leftovers: findLeftovers({ dataDir, env, platform, socket, owned: host !== null, now: Date.now(), isRun }),
  }
}

/**
 * From outside of a host: the database is only read. A host that runs and can't be asked is known by its owner file. A data
 * folder that does not exist yet is healthy.
 */
export function examineFolder(options: {
  dataDir: string
  env: Readonly<Record<string, string | undefined>>
  writerWorker: string | URL
}): Promise<DoctorReport> {
  const { dataDir, env, writerWorker } = options
  const file = join(dataDir, 'weft.db')
  const check = async (): Promise<IntegrityReport> =>
    existsSync(file) ? checkDatabase({ file, writerWorker }) : { ...NOTHING, ok: true }
  const owner = readOwner(dataDir)
  const host = owner !== undefined && isAlive(owner.pid) ? owner : null
  return examine({ dataDir, env, platform: process.platform, host, check })
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Someone else's process is one all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
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
