// The engine's worker files as one bundle each, as the product ships them: a worker made from the sources spends most of a
// second on stripping types. Bundles are kept in the temp folder under a name made from the sources' contents.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as buildBundle } from 'vite'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const bundles = new Map<string, Promise<string>>()

/** Absolute path of the bundle of `src/<entry>`, made when it is not there yet. */
export function bundleWorker(entry: string): Promise<string> {
  let bundle = bundles.get(entry)
  if (bundle === undefined) {
    bundle = build(entry)
    bundles.set(entry, bundle)
  }
  return bundle
}

async function build(entry: string): Promise<string> {
  const folder = join(tmpdir(), 'weft-test-bundles')
  const file = join(folder, `${entry.replaceAll('/', '-')}-${hashSources()}.cjs`)
  if (existsSync(file)) return file
  // Several test processes may do this at once: each writes its own, the last one stays.
  const outDir = join(folder, String(process.pid))
  const name = `${entry.replaceAll('/', '-')}.cjs`
  await buildBundle({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'src', entry),
      outDir,
      emptyOutDir: false,
      target: 'node18.15',
      minify: false,
      rolldownOptions: { output: { format: 'cjs', strict: true, entryFileNames: name, codeSplitting: false } },
    },
  })
  renameSync(join(outDir, name), file)
  rmSync(outDir, { recursive: true, force: true })
  return file
}

function hashSources(): string {
  const hash = createHash('sha256')
  for (const folder of ['src/engine', 'src/shared']) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )
    for (const name of names.sort()) hash.update(name).update(readFileSync(join(root, folder, name)))
  }
  return hash.digest('hex').slice(0, 16)
}
