// The packages for Linux, really built, in a folder of their own.

import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')

export interface Packages {
  deb: string
  /** What the packages hold, as a folder. */
  unpacked: string
  program: string
  remove(): void
}

/** Needs the build. The AppImage is left out: its tools are a download. */
export async function buildPackages(): Promise<Packages> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-package-'))
  // Installed programs can be read by everybody, too.
  chmodSync(folder, 0o755)
  const builder = join(root, 'node_modules/electron-builder/cli.js')
  const config = join(import.meta.dirname, 'builder.config.mjs')
  await run(process.execPath, [builder, '--linux', 'deb', '--config', config, '--publish', 'never'], {
    cwd: root,
    env: {
      ...process.env,
      WEFT_TEST_PACKAGE_DIR: folder,
      CUSTOM_FPM_PATH: join(import.meta.dirname, 'fpm-by-dpkg.mjs'),
    },
  })
  const unpacked = join(folder, 'linux-unpacked')
  const deb = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? 'no.deb'
  return {
    deb: join(folder, deb),
    unpacked,
    program: join(unpacked, 'weft-app'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
