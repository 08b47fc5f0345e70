// The packages' own configuration on an Electron that is there already: the one of ELECTRON_OVERRIDE_DIST_PATH, where that
// is the test runtime with its stand-in for Electron's loader taken out, and the addon that was compiled for it put in.

import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import config from '../../../electron-builder.config.mjs'

const electronDist =
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(import.meta.dirname, '../../../node_modules/electron/dist')
const electronVersion = readFileSync(join(electronDist, 'version'), 'utf8').trim().replace(/^v/, '')

/** @type {import('electron-builder').Configuration} */
export default {
  ...config,
  electronDist,
  // Fuses that an older Electron does not have yet.
  electronFuses:
    Number.parseInt(electronVersion, 10) < 29
      ? without(config.electronFuses, 'grantFileProtocolExtraPrivileges')
      : config.electronFuses,
  electronVersion,
  directories: { ...config.directories, output: process.env['WEFT_TEST_PACKAGE_DIR'] ?? 'dist' },
  afterPack({ appOutDir }) {
    const resources = join(appOutDir, 'resources')
    const compat = join(resources, 'compat')
    if (!existsSync(compat)) return Promise.resolve()
    const addon = readdirSync(compat).find((name) => /^better-sqlite3-.*\.node$/.test(name))
    const unpacked = join(resources, 'app.asar.unpacked', 'node_modules', 'better-sqlite3', 'prebuilds')
    for (const name of readdirSync(unpacked)) copyFileSync(join(compat, addon ?? ''), join(unpacked, name))
    rmSync(compat, { recursive: true })
    rmSync(join(resources, 'app'), { recursive: true })
    return Promise.resolve()
  },
}

function without(fuses, name) {
  const { [name]: _left, ...rest } = fuses
  return rest
}
