// What dead processes left in a data folder. Nothing is removed from here: people decide that.

import { readdirSync, statSync, type Dirent } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Leftover } from '../../shared/index.ts'
import { socketPaths } from '../socket/socket-path.ts'

/** Younger than this, a temporary file may be in use. */
const SETTLED_MS = 60_000

export interface FolderPlace {
  dataDir: string
  env: Readonly<Record<string, string | undefined>>
  platform: string
  /** The socket that is in use, if there is one. */
  socket: string | null
  /** False when no host runs: what only a host makes is left over then. */
  owned: boolean
  now: number
  /** Undefined where nobody can tell. */
  isRun: ((runId: string) => boolean) | undefined
}

/** Databases that belong there. */
const DATABASES = new Set(['weft.db', 'lock.db'])

export function findLeftovers(place: FolderPlace): Leftover[] {
  const files = readFolder(place.dataDir).flatMap((entry) => judge(entry, place))
  return [...findSockets(place), ...files, ...findRunFolders(place)]
}

function findSockets({ dataDir, env, platform, socket }: FolderPlace): Leftover[] {
  // Named pipes go with their process.
  if (platform === 'win32') return []
  return socketPaths(dataDir, { env, platform })
    .filter((path) => path !== socket && exists(path))
    .map((path) => ({
      kind: 'socket',
      path,
      detail: 'a socket that no host listens on: the next host takes its place; it may be deleted',
    }))
}

function findRunFolders({ dataDir, isRun }: FolderPlace): Leftover[] {
  if (isRun === undefined) return []
  const folder = join(dataDir, 'runs')
  return readFolder(folder)
    .filter(({ name }) => !isRun(name))
    .map(({ name }) => ({
      kind: 'run-folder',
      path: join(folder, name),
      detail: 'the files of a run that is not there any more: they may be deleted',
    }))
}

function judge(entry: Dirent, place: FolderPlace): Leftover[] {
  const { name } = entry
  const path = join(place.dataDir, name)
  const found = (kind: Leftover['kind'], detail: string): Leftover[] => [{ kind, path, detail }]
  if (!entry.isFile()) return []
  if (/^\.[0-9a-f]+\.tmp$/.test(name) || name.endsWith('.partial'))
    return isSettled(path, place.now) ? found('temp-file', 'half of a file whose writer died: it may be deleted') : []
  if (name.startsWith('settings.json.broken-'))
    return found('settings', 'settings that could not be read when new ones were saved: look at them, then delete them')
  if (/\.(?:db|sqlite)(?:[.-].*)?$/.test(name) && !isOwnDatabase(name))
    return found(
      'database',
      'a copy of the database, from a backup, a repair or an export: keep it elsewhere or delete it',
    )
  if (name === 'owner.json' && !place.owned)
    return found('owner', 'a host that was killed left it: the next host replaces it')
  return []
}

/** The database itself and what SQLite keeps beside it. */
function isOwnDatabase(name: string): boolean {
  return DATABASES.has(name.replace(/-(?:wal|shm|journal)$/, ''))
}

function isSettled(path: string, now: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && now - found.mtimeMs > SETTLED_MS
}

function exists(path: string): boolean {
  // Asked of the folder: a socket can't be opened as a file is.
  return readFolder(dirname(path)).some((entry) => join(dirname(path), entry.name) === path)
}

function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}
