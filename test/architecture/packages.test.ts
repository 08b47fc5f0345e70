import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyProject, type ProjectCopy } from './copy-project.ts'

/**
 * A file of each folder, and what it may not import: packages, and layers that the compiler lets through because a
 * referenced project uses them.
 */
const FORBIDDEN: readonly (readonly [path: string, packages: readonly string[]])[] = [
  ['src/shared/bad.ts', ['electron', 'react', 'better-sqlite3', 'ses', 'ws', 'commander']],
  ['src/engine/run/bad.ts', ['electron', 'better-sqlite3', 'ses', 'ws', 'zustand']],
  ['src/engine/sandbox/bad.ts', ['electron', 'better-sqlite3', 'ws']],
  ['src/agents/bad.ts', ['electron', 'better-sqlite3', 'ses', 'react-dom/client']],
  ['src/store/bad.ts', ['electron', 'ses', 'ws']],
  ['src/host/bad.ts', ['electron', 'better-sqlite3', 'ses', 'commander']],
  ['src/host/lock/bad.ts', ['electron', 'ses']],
  [
    'src/cli/bad.ts',
    ['electron', 'electron/main', 'better-sqlite3', 'react', '../store/index.ts', '../engine/index.ts'],
  ],
  ['src/main/bad.ts', ['react', 'better-sqlite3', 'ses', 'ws', 'commander', '../agents/index.ts']],
  ['src/preload/bad.ts', ['better-sqlite3', 'react']],
  ['src/renderer/ui/bad.tsx', ['electron', 'better-sqlite3', 'ses', 'ws']],
  ['src/renderer/state/bad.ts', ['react', 'react/jsx-runtime', 'react-dom', '@base-ui/react/dialog', 'lucide-react']],
]

/** What the same folders are there for. */
const ALLOWED: readonly (readonly [path: string, packages: readonly string[]])[] = [
  ['src/engine/sandbox/good.ts', ['ses']],
  ['src/store/good.ts', ['better-sqlite3']],
  ['src/host/lock/good.ts', ['better-sqlite3']],
  ['src/host/good.ts', ['ws']],
  ['src/cli/good.ts', ['commander', '../host/index.ts', '../shared/index.ts']],
  ['src/main/good.ts', ['electron']],
  ['src/preload/good.ts', ['electron']],
  ['src/renderer/ui/good.tsx', ['react', '@base-ui/react/dialog']],
  ['src/renderer/state/good.ts', ['zustand/vanilla']],
]

interface LintReport {
  diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[]
}

let project: ProjectCopy
beforeAll(() => {
  project = copyProject()
})
afterAll(() => project.remove())

/** Files and lines where an import is refused. */
async function refusedImports(): Promise<string[]> {
  const { output } = await project.run('oxlint/bin/oxlint', ['--format', 'json', 'src'])
  // What the linter's JSON format says.
  const report = JSON.parse(output) as LintReport
  return report.diagnostics
    .filter(({ code }) => code.includes('no-restricted-imports'))
    .map(({ filename, labels }) => `${filename}:${labels[0]?.span.line ?? 0}`)
    .sort()
}

const importAll = (packages: readonly string[]): string => packages.map((name) => `import '${name}'\n`).join('')

// All that is refused is what is written here: the sources as they are, linted in the same go, import what they may.
test('a package is refused in a folder that may not know it, and nowhere else', { timeout: 60_000 }, async () => {
  for (const [path, packages] of [...FORBIDDEN, ...ALLOWED]) project.write(path, importAll(packages))
  const expected = FORBIDDEN.flatMap(([path, packages]) => packages.map((_, index) => `${path}:${index + 1}`))
  expect(await refusedImports()).toEqual(expected.sort())
})
