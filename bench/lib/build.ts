// Bundles the product for the benchmarks with the product's own settings, into a folder of their own: what is measured is
// what users run, and a build that somebody else makes meanwhile changes nothing.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type * as product from '../product.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const CACHE = join(ROOT, '.cache', 'bench')
const BUILT = join(CACHE, 'built')

const ENTRIES = {
  product: 'bench/product.ts',
  'sandbox-worker': 'src/engine/sandbox/worker.ts',
  'checker-worker': 'src/engine/check/worker.ts',
  'writer-worker': 'src/store/writer-worker.ts',
  'answer-worker': 'src/agents/simulated/generate/answer-worker.ts',
  reaper: 'src/agents/process/reaper.ts',
}

export const WORKERS = {
  sandbox: join(BUILT, 'sandbox-worker.cjs'),
  checker: join(BUILT, 'checker-worker.cjs'),
  writer: join(BUILT, 'writer-worker.cjs'),
  answers: join(BUILT, 'answer-worker.cjs'),
  reaper: join(BUILT, 'reaper.cjs'),
}

export async function buildProduct(): Promise<void> {
  const input = Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(ROOT, path)]))
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir: BUILT,
      emptyOutDir: true,
      target: 'node18.15',
      minify: false,
      rolldownOptions: {
        input,
        output: {
          format: 'cjs',
          strict: true,
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
        },
      },
    },
  })
}

export type Product = typeof product

/** The bundle; `buildProduct` has made it. */
export function loadProduct(): Product {
  // It is the bundle of that file.
  return createRequire(import.meta.url)(join(BUILT, 'product.cjs')) as Product
}
