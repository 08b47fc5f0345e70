// Can a desktop window be shown here, and with which Electron?

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runToEnd } from './process.mjs'
import { commandFile, inRoot, projectEnv, projectNode } from './project.mjs'

const DOWNLOAD_LIMIT_MS = 180_000
const DAY_MS = 24 * 3600 * 1000
/** When Electron's download last failed on this machine. */
const FAILED_STAMP = inRoot('node_modules', '.cache', 'weft-electron-download-failed')

/** @type {Partial<Record<NodeJS.Platform, string>>} */
const BINARY_NAMES = { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' }

/** Electron's program, or undefined when its binary was never downloaded. ELECTRON_OVERRIDE_DIST_PATH names another. */
export function electronBinary() {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? inRoot('node_modules', 'electron', 'dist')
  const file = join(folder, BINARY_NAMES[process.platform] ?? 'electron')
  return existsSync(file) ? file : undefined
}

/**
 * Downloads Electron's binary when it is missing; where that failed within the last day it is not tried again.
 *
 * @param {(line: string) => void} say
 * @returns {Promise<string | undefined>} its file, if it is there now
 */
export async function fetchElectron(say) {
  const there = electronBinary()
  if (there !== undefined || process.env['ELECTRON_OVERRIDE_DIST_PATH'] !== undefined || failedToday()) return there
  say(`Getting Electron's binary (about 110 MB, at most ${DOWNLOAD_LIMIT_MS / 60_000} minutes, Ctrl-C stops) …`)
  const { code } = await runToEnd(projectNode(), [commandFile('electron', 'install-electron')], {
    env: projectEnv(),
    capture: true,
    limitMs: DOWNLOAD_LIMIT_MS,
  })
  if (code === 0) return electronBinary()
  mkdirSync(dirname(FAILED_STAMP), { recursive: true })
  writeFileSync(FAILED_STAMP, String(Date.now()))
  say(`Electron can't be had from here; not tried again for a day ("npx install-electron" tries at once).`)
  return undefined
}

function failedToday() {
  if (!existsSync(FAILED_STAMP)) return false
  if (Date.now() - Number(readFileSync(FAILED_STAMP, 'utf8')) < DAY_MS) return true
  rmSync(FAILED_STAMP)
  return false
}

/** Why no window can be shown on this machine whatever Electron there is; undefined when one can. */
export function displayProblem() {
  if (process.platform !== 'linux') return undefined
  if (!process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    return 'there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set)'
  }
  if (process.getuid?.() === 0 && !sandboxIsOff()) {
    return "Chromium's sandbox does not run as root: start it as an ordinary user for the desktop window"
  }
  return undefined
}

/**
 * Why this Electron would not start on this Linux, with what to do; undefined when nothing speaks against it.
 *
 * @param {string} binary
 */
export function startProblem(binary) {
  if (process.platform !== 'linux') return undefined
  const libraries = missingLibraries(binary)
  if (libraries.length > 0) {
    return `libraries that Electron needs are missing: ${libraries.join(', ')} (on Debian: sudo apt-get install libgtk-3-0 libnss3 libasound2 libgbm1)`
  }
  const helper = join(dirname(binary), 'chrome-sandbox')
  if (sandboxIsOff() || userNamespacesWork() || isSetuidRoot(helper)) return undefined
  return (
    "this system allows no unprivileged user namespaces, so Chromium's sandbox needs its helper set up once:\n" +
    `  sudo chown root:root ${helper} && sudo chmod 4755 ${helper}`
  )
}

/** Only ever the user's own choice: nothing of ours switches the sandbox off. */
const sandboxIsOff = () => Boolean(process.env['ELECTRON_DISABLE_SANDBOX'])

/** @param {string} binary */
function missingLibraries(binary) {
  try {
    const listing = execFileSync('ldd', [binary], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return listing.split('\n').flatMap((line) => /^\s*(\S+) => not found/.exec(line)?.[1] ?? [])
  } catch {
    return [] // No ldd here: let Electron say it itself.
  }
}

function userNamespacesWork() {
  const read = (/** @type {string} */ name) => {
    const file = `/proc/sys/${name}`
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  }
  return (
    read('kernel/apparmor_restrict_unprivileged_userns') !== '1' &&
    read('kernel/unprivileged_userns_clone') !== '0' &&
    read('user/max_user_namespaces') !== '0'
  )
}

/** @param {string} file */
function isSetuidRoot(file) {
  if (!existsSync(file)) return false
  const { uid, mode } = statSync(file)
  return uid === 0 && (mode & 0o4000) !== 0
}
