// Worker files, and programs that tests start, as one bundle each, as the product ships them: one made from the sources
// spends most of a second on stripping types. Bundles are kept in the temp folder under a name made from the checkout's
// folder and the sources' contents.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as buildBundle } from 'vite'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A native addon is not bundled. */
const ADDON = 'better-sqlite3'

const bundles = new Map<string, Promise<string>>()

/** Absolute path of the bundle of `src/<entry>`, made when it is not there yet. */
export function bundleWorker(entry: string): Promise<string> {
  return bundleProgram(`src/${entry}`)
}

/** The same for a file named from the package's folder; it may use SQLite. */
export function bundleProgram(entry: string): Promise<string> {
  let bundle = bundles.get(entry)
  if (bundle === undefined) {
    bundle = build(entry)
    bundles.set(entry, bundle)
  }
  return bundle
}

async function build(entry: string): Promise<string> {
  const folder = join(tmpdir(), 'weft-test-bundles')
  const file = join(folder, `${entry.replaceAll('/', '-')}-${hashSources(entry)}.cjs`)
  if (existsSync(file)) return file
  const name = `${entry.replaceAll('/', '-')}.cjs`
  // Several test processes may do this at once: each writes its own, the last one stays.
  const outDir = join(folder, `${process.pid}-${name}`)
  await buildBundle({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true, external: [ADDON] },
    build: {
      ssr: join(root, entry),
      outDir,
      emptyOutDir: false,
      target: 'node18.15',
      minify: false,
      rolldownOptions: {
        output: {
          format: 'cjs',
          strict: true,
          entryFileNames: name,
          codeSplitting: false,
          // Where the bundle is kept, no package is found by its name.
          paths: { [ADDON]: join(root, 'node_modules', ADDON) },
        },
      },
    },
  })
  renameSync(join(outDir, name), file)
  rmSync(outDir, { recursive: true, force: true })
  return file
}

function hashSources(entry: string): string {
  // The bundle names the addon in this checkout: another one, which may be gone tomorrow, has its own.
  const hash = createHash('sha256')
    .update(root)
    .update(readFileSync(join(root, entry)))
  for (const folder of ['src/engine', 'src/shared', ...foldersFor(entry)]) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )
    for (const name of names.sort()) hash.update(name).update(readFileSync(join(root, folder, name)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** What else it may be made of. */
function foldersFor(entry: string): string[] {
  if (entry.startsWith('src/engine/')) return []
  return ['src/agents', 'src/store', 'src/host', 'src/cli', ...(entry.startsWith('test/') ? [dirname(entry)] : [])]
}
