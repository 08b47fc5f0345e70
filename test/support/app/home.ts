// A user's machine for one test: home, data folder and workspace of their own, and a mark on every process started there.

import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Home {
  /** The environment for every process of this test. */
  env: Record<string, string>
  dataDir: string
  workspace: string
  /** Stands in the environment of every process that was started here, and of what those started. */
  mark: string
  /** Adds a file to the workspace and answers its path. */
  addFile(name: string, text: string): string
  /** Writes the data folder's settings. */
  writeSettings(settings: object): void
  remove(): void
}

export function makeHome(): Home {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-app-')))
  const folder = (name: string): string => {
    const path = join(root, name)
    mkdirSync(path, { mode: 0o700 })
    return path
  }
  const workspace = folder('workspace')
  const dataDir = folder('data')
  const mark = randomUUID()
  return {
    workspace,
    dataDir,
    mark,
    env: {
      ...inherited(),
      HOME: folder('home'),
      XDG_CONFIG_HOME: folder('config'),
      XDG_DATA_HOME: folder('share'),
      XDG_CACHE_HOME: folder('cache'),
      XDG_RUNTIME_DIR: folder('runtime'),
      WEFT_DATA_DIR: dataDir,
      WEFT_TEST_MARK: mark,
      // Nothing of a test opens the programs of whoever runs it.
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    },
    addFile(name, text) {
      const file = join(workspace, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
    writeSettings(settings) {
      writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings))
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** What a process needs of ours to run at all; nothing that makes it behave as on this machine. */
function inherited(): Record<string, string> {
  const names = ['PATH', 'DISPLAY', 'XAUTHORITY', 'LANG', 'ELECTRON_OVERRIDE_DIST_PATH', 'ELECTRON_DISABLE_SANDBOX']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
