// The engine's worker files as one bundle each, as the product ships them: a worker made from the sources spends most of a
// second on stripping types. Bundles are kept in the temp folder under a name made from the sources' contents.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

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
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    input: join(root, 'src', entry),
    platform: 'node',
    transform: { target: 'node18.15' },
    logLevel: 'warn',
  })
  const temporary = `${file}.${process.pid}.cjs`
  await bundle.write({ file: temporary, format: 'cjs', strict: true, codeSplitting: false })
  await bundle.close()
  renameSync(temporary, file)
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
