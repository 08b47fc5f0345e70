// Where a host keeps things: the same place whichever face starts it, so that window and command line share one history.

import { join, resolve } from 'node:path'
import envPaths from 'env-paths'
import type { BridgeCommand } from './connections/harnesses.ts'

export interface AppPaths {
  /** The folder of package.json. */
  root: string
  /** Worker bundles, beside this program's own. */
  workers: { sandbox: string; checker: string; writer: string; answers: string; reaper: string }
  bundledWorkflows: string
  /** The built page that a window shows and `serve` gives out. */
  renderer: string
}

/** `bundleDir` is the folder of the running bundle: `<package>/out/main`. */
export function locateApp(bundleDir: string): AppPaths {
  const root = resolve(bundleDir, '..', '..')
  return {
    root,
    workers: {
      sandbox: join(bundleDir, 'sandbox-worker.cjs'),
      checker: join(bundleDir, 'checker-worker.cjs'),
      writer: join(bundleDir, 'writer-worker.cjs'),
      answers: join(bundleDir, 'answer-worker.cjs'),
      reaper: join(bundleDir, 'reaper.cjs'),
    },
    bundledWorkflows: join(root, 'workflows'),
    renderer: join(root, 'out', 'renderer'),
  }
}

/**
 * What starts the bridge. `program` is the Node or Electron that runs now: it is known to be new enough, whatever a harness
 * has on its path. A data folder that is not the usual one is named, since harnesses don't pass the environment on.
 */
export function bridgeCommand(root: string, program: string, isElectron: boolean, dataDir: string): BridgeCommand {
  const elsewhere = dataDir !== envPaths('weft', { suffix: '' }).data
  return {
    command: program,
    args: [join(root, 'bin', 'weft.mjs'), 'mcp', ...(elsewhere ? ['--data-dir', dataDir] : [])],
    env: isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
  }
}

export interface UserPaths {
  dataDir: string
  configDir: string
}

/** A given folder before `WEFT_DATA_DIR` before the platform's place (XDG on Linux). */
export function locateUser(
  dataDir: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): UserPaths {
  const platform = envPaths('weft', { suffix: '' })
  const chosen = dataDir ?? (env['WEFT_DATA_DIR'] || undefined)
  return { dataDir: chosen === undefined ? platform.data : resolve(cwd, chosen), configDir: platform.config }
}
