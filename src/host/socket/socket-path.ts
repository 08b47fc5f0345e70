// Where a data folder's host listens, and the folder for it: only the user may enter.

import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { HostError } from '../../shared/index.ts'

/** Systems cut or refuse longer ones (104 bytes on macOS, 108 on Linux). */
const MAX_PATH_BYTES = 103

export interface SocketPlace {
  env: Readonly<Record<string, string | undefined>>
  /** Node's `process.platform`. */
  platform: string
}

/**
 * Where it may listen, best first: a named pipe on Windows; else `$XDG_RUNTIME_DIR/weft/<hash>.sock`, the data folder, the
 * folder for temporary files. The owner file says which one it became.
 */
export function socketPaths(dataDir: string, { env, platform }: SocketPlace): string[] {
  const hash = createHash('sha256').update(canonical(dataDir)).digest('hex').slice(0, 16)
  if (platform === 'win32') return [`\\\\.\\pipe\\weft-${hash}`]
  const runtime = env['XDG_RUNTIME_DIR']
  const candidates = [
    ...(runtime !== undefined && isAbsolute(runtime) ? [join(runtime, 'weft', `${hash}.sock`)] : []),
    join(resolve(dataDir), 'socket', 'host.sock'),
    join(tmpdir(), `weft-${process.getuid?.() ?? 'user'}`, `${hash}.sock`),
  ]
  return candidates.filter((path) => Buffer.byteLength(path) <= MAX_PATH_BYTES)
}

/** Makes the socket's folder (0700). Throws NOT_ALLOWED when someone else's folder stands there. */
export function prepareSocketFolder(path: string, platform: string): void {
  if (platform === 'win32') return
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new HostError({
      code: 'NOT_ALLOWED',
      message: `${folder} belongs to another user: the host does not put its socket there`,
    })
  chmodSync(folder, 0o700)
}

function canonical(dataDir: string): string {
  try {
    return realpathSync(dataDir)
  } catch {
    return resolve(dataDir)
  }
}
