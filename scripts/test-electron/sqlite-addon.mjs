// Compiles better-sqlite3 for the test runtime: its published binary needs Node-API 10, the runtime has 8. The sources stay
// as published; compat.h is force-included ahead of them.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from '../lib/problem.mjs'
import { inRoot } from '../lib/project.mjs'
import { fetchPackage, outputOf, runTool } from './npm-package.mjs'
import { DEBIAN_PACKAGES, ELECTRON } from './runtime.mjs'

const NODE_ADDON_API = 'node-addon-api@8.9.2'
const NODE_API_HEADERS = 'node-api-headers@1.9.0'
const COMPAT = join(dirname(fileURLToPath(import.meta.url)), 'compat.h')

/**
 * @param {string} work a folder for what is only needed meanwhile
 * @param {string} dist the runtime's folder
 * @param {(text: string) => void} say
 */
export async function buildAddon(work, dist, say) {
  const { version } = JSON.parse(readFileSync(inRoot('node_modules', 'better-sqlite3', 'package.json'), 'utf8'))
  const addon = join(dist, 'resources', 'compat', `better-sqlite3-${version}.node`)
  const recipe = createHash('sha256')
    .update(readFileSync(COMPAT))
    .update(JSON.stringify([version, NODE_ADDON_API, NODE_API_HEADERS, 1]))
    .digest('hex')
  const noted = `${addon}.recipe`
  if (existsSync(addon) && existsSync(noted) && readFileSync(noted, 'utf8') === recipe) return

  const [sqlite, addonApi, headers] = await Promise.all([
    unpack(`better-sqlite3@${version}`, work),
    unpack(NODE_ADDON_API, work),
    unpack(NODE_API_HEADERS, work),
  ])
  say(`compiling better-sqlite3 ${version}`)
  const built = join(work, 'addon.node')
  try {
    await compile({ sqlite, addonApi, headers, work, built })
  } catch (error) {
    if (isMissingProgram(error)) {
      throw new Problem(
        `There is no ${error.path} here. On Debian 12: apt-get install --no-install-recommends ${DEBIAN_PACKAGES}`,
      )
    }
    throw new Problem(`Compiling better-sqlite3 ${version} failed:\n${outputOf(error)}`)
  }
  await proveItLoads(dist, built)
  renameSync(built, addon)
  writeFileSync(noted, recipe)
}

/**
 * @param {string} spec
 * @param {string} work
 */
async function unpack(spec, work) {
  const folder = join(work, spec.slice(0, spec.indexOf('@')))
  const archive = await fetchPackage(spec, folder)
  await runTool('tar', ['-xzf', archive, '-C', folder, '--no-same-owner', '--exclude=package/prebuilds'])
  return join(folder, 'package')
}

/** @param {{ sqlite: string, addonApi: string, headers: string, work: string, built: string }} folders */
async function compile({ sqlite, addonApi, headers, work, built }) {
  const settings = readFileSync(join(sqlite, 'deps/defines.gypi'), 'utf8')
  const defines = [...settings.matchAll(/'([A-Z]\w*(?:=[^']*)?)'/g)].map((match) => `-D${match[1]}`)
  const common = ['-c', '-O1', '-w', '-fPIC', '-fvisibility=hidden', '-DNDEBUG', '-I', join(sqlite, 'deps/sqlite3')]
  const library = join(work, 'sqlite3.o')
  const binding = join(work, 'addon.o')
  const cpp = ['-std=c++20', '-fno-rtti', '-fno-exceptions', '-DNAPI_VERSION=8', '-DNAPI_DISABLE_CPP_EXCEPTIONS']
  cpp.push('-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS', '-DBUILDING_NODE_EXTENSION')
  cpp.push('-I', join(headers, 'include'), '-I', addonApi, '-include', COMPAT)
  await Promise.all([
    runTool('gcc', [...common, '-std=c99', ...defines, join(sqlite, 'deps/sqlite3/sqlite3.c'), '-o', library]),
    runTool('g++', [...common, ...cpp, join(sqlite, 'src/better_sqlite3.cpp'), '-o', binding]),
  ])
  const link = ['-shared', '-Wl,-Bsymbolic', '-Wl,--exclude-libs,ALL', binding, library, '-ldl', '-lpthread']
  await runTool('g++', [...link, '-o', built])
}

/**
 * Loads the addon in the runtime before anyone relies on it.
 *
 * @param {string} dist
 * @param {string} built
 */
async function proveItLoads(dist, built) {
  const check = `const a = require(${JSON.stringify(built)}); process.stdout.write(typeof a.Database + ' ' + process.versions.electron)`
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  delete env['NODE_OPTIONS']
  const answer = await runTool(join(dist, 'electron'), ['-e', check], { env }).then(
    (ended) => ended.stdout,
    (error) => {
      throw new Problem(`The runtime cannot load the compiled better-sqlite3:\n${outputOf(error)}`)
    },
  )
  if (answer !== `function ${ELECTRON}`) throw new Problem(`Unexpected answer from the runtime: ${answer}`)
}

/**
 * @param {unknown} error
 * @returns {error is Error & { path: string }}
 */
function isMissingProgram(error) {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error
}
