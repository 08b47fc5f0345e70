// Builds the product when a source changed since the last build, and does nothing otherwise.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { Problem } from './problem.mjs'
import { runToEnd } from './process.mjs'
import { commandFile, inRoot, projectEnv, projectNode } from './project.mjs'

const STAMP = inRoot('out', '.built-from')
/** What the bundles are made from; folders are taken whole. */
const SOURCES = ['src', 'types', 'electron.vite.config.ts', 'tsconfig.base.json', 'package.json', 'package-lock.json']
const PRODUCTS = ['out/main/index.cjs', 'out/main/weft.cjs', 'out/preload/index.cjs', 'out/renderer/index.html']

/** @param {(line: string) => void} say */
export async function ensureBuilt(say) {
  const wanted = hashSources()
  const complete = PRODUCTS.every((path) => existsSync(inRoot(path)))
  if (complete && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  say('Building …')
  const { code, output } = await runToEnd(projectNode(), [commandFile('electron-vite'), 'build'], {
    env: projectEnv(),
    capture: true,
  })
  if (code !== 0) {
    throw new Problem(
      `The build failed with exit code ${code}:\n\n${output}\n"npm run build" does the same step alone.`,
    )
  }
  mkdirSync(inRoot('out'), { recursive: true })
  writeFileSync(STAMP, wanted)
}

/** A hash over the names and contents of all sources. */
export function hashSources() {
  const hash = createHash('sha256')
  for (const path of SOURCES) {
    if (existsSync(inRoot(path))) addTo(hash, path)
  }
  return hash.digest('hex')
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path
 */
function addTo(hash, path) {
  const files = isFolder(path) ? readdirSync(inRoot(path)).sort() : undefined
  if (files === undefined)
    hash
      .update(`${path}\0`)
      .update(readFileSync(inRoot(path)))
      .update('\0')
  else for (const name of files) addTo(hash, `${path}/${name}`)
}

/** @param {string} path */
function isFolder(path) {
  return statSync(inRoot(path)).isDirectory()
}
