// System packages that the tests need on a Debian-like machine: a C compiler and libraries for the test Electron, a display, Chromium.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { runToEnd } from './process.mjs'

const APT_LIMIT_MS = 10 * 60_000

/** A package that a later release renamed has both names; either will do. */
const NEEDED = [
  ['git'],
  ['gcc'],
  ['g++'],
  ['libc6-dev'],
  ['xvfb'],
  ['xauth'],
  ['libgtk-3-0t64', 'libgtk-3-0'],
  ['libnss3'],
  ['libasound2t64', 'libasound2'],
  ['libgbm1'],
]
/** Elsewhere (Ubuntu) this name only brings a snap, which does not run in containers: Playwright's own is used there. */
const ON_DEBIAN = [['chromium']]

/**
 * Installs what is missing, where that can be done without asking (Debian's kin, as root).
 *
 * @param {(line: string) => void} say
 * @returns {Promise<string | undefined>} what to do by hand, when something stays missing
 */
export async function ensureSystemPackages(say) {
  if (process.platform !== 'linux') return undefined
  const system = readSystem()
  if (!system.isDebianLike) {
    return existsSync('/usr/bin/xvfb-run')
      ? undefined
      : 'install git, gcc, g++, Xvfb with xvfb-run, GTK 3, NSS, ALSA, GBM and Chromium'
  }
  const missing = missingPackages(system)
  if (missing.length === 0) return undefined
  // The newest name first; an older release knows only the other.
  const byHand = (/** @type {string[]} */ names) =>
    `apt-get update && apt-get install -y --no-install-recommends ${names.join(' ')}`
  if (process.getuid?.() !== 0) return `sudo sh -c "${byHand(missing.map((names) => pickKnown(names)))}"`

  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  say(`Installing system packages (${missing.map((names) => names.at(-1)).join(', ')}) …`)
  const update = await runToEnd('apt-get', ['update'], { env, capture: true, limitMs: APT_LIMIT_MS })
  if (update.code !== 0) say(`"apt-get update" failed with exit code ${update.code}:\n${lastLines(update.output)}`)
  const names = missing.map((alternatives) => pickKnown(alternatives))
  const install = await runToEnd('apt-get', ['install', '-y', '--no-install-recommends', ...names], {
    env,
    capture: true,
    limitMs: APT_LIMIT_MS,
  })
  if (install.code === 0) return undefined
  say(`"apt-get install" failed with exit code ${install.code}:\n${lastLines(install.output)}`)
  return byHand(names)
}

export function hasGit() {
  return answerOf('git', ['--version']) !== ''
}

function readSystem() {
  const file = '/etc/os-release'
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const id = /^ID="?([^"\n]+)/m.exec(text)?.[1] ?? ''
  const like = /^ID_LIKE="?([^"\n]+)/m.exec(text)?.[1] ?? ''
  return { isDebian: id === 'debian', isDebianLike: `${id} ${like}`.split(' ').includes('debian') }
}

/** @param {{ isDebian: boolean }} system */
function missingPackages({ isDebian }) {
  const wanted = isDebian ? [...NEEDED, ...ON_DEBIAN] : NEEDED
  const listing = answerOf('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n', ...wanted.flat()])
  const installed = new Set(
    listing.split('\n').flatMap((line) => {
      const [name, status] = line.split(' ')
      return status === 'installed' && name !== undefined ? [name] : []
    }),
  )
  return wanted.filter((names) => !names.some((name) => installed.has(name)))
}

/** @param {string[]} names */
function pickKnown(names) {
  return names.find((name) => answerOf('apt-cache', ['show', '--no-all-versions', name]) !== '') ?? names.at(-1) ?? ''
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function answerOf(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch (error) {
    // dpkg-query answers for the packages it knows and fails for the rest.
    return typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : ''
  }
}

/** @param {string} text */
const lastLines = (text) => text.trimEnd().split('\n').slice(-15).join('\n')
