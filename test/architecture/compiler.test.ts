import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyProject, type ProjectCopy } from './copy-project.ts'

const LAYERS = ['shared', 'engine', 'agents', 'store', 'host', 'tools', 'cli', 'main', 'preload', 'renderer']

/** One forbidden thing for each border: the file, what it does, the errors that say so. */
const FORBIDDEN = [
  ['src/shared/bad-global.ts', 'export const cwd = process.cwd()', ['TS2591', 'TS2580']],
  ['src/shared/bad-page.ts', 'export const title = document.title', ['TS2584']],
  ['src/shared/bad-import.ts', "export type { Engine } from '../engine/index.ts'", ['TS6307']],
  ['src/engine/bad-store.ts', "export type { Store } from '../store/index.ts'", ['TS6307']],
  ['src/engine/bad-page.ts', 'export const title = document.title', ['TS2584']],
  ['src/agents/bad-store.ts', "export type { Store } from '../store/index.ts'", ['TS6307']],
  ['src/store/bad-agents.ts', "export * from '../agents/index.ts'", ['TS6307']],
  ['src/host/bad-main.ts', "export * from '../main/arguments.ts'", ['TS6307']],
  ['src/host/bad-page.ts', 'export const title = document.title', ['TS2584']],
  ['src/tools/bad-host.ts', "export * from '../host/index.ts'", ['TS6307']],
  ['src/cli/bad-main.ts', "export * from '../main/arguments.ts'", ['TS6307']],
  ['src/main/bad-renderer.ts', "export * from '../renderer/state/clock.ts'", ['TS6307']],
  ['src/preload/bad-host.ts', "export type { Host } from '../host/host.ts'", ['TS6307']],
  ['src/renderer/bad-host.ts', "export type { Host } from '../host/host.ts'", ['TS6307']],
  ['src/renderer/bad-global.ts', 'export const cwd = process.cwd()', ['TS2591', 'TS2580']],
] as const

let project: ProjectCopy
beforeAll(() => {
  project = copyProject()
})
afterAll(() => project.remove())

const compile = () =>
  project.run('typescript/bin/tsc', ['-b', '--pretty', 'false'].concat(LAYERS.map((layer) => `src/${layer}`)))

test(
  'the sources as they are compile, each layer with its own globals and neighbours',
  { timeout: 120_000 },
  async () => {
    expect(await compile()).toEqual({ code: 0, output: '' })
  },
)

test('a forbidden import or global fails to compile', { timeout: 120_000 }, async () => {
  for (const [path, text] of FORBIDDEN) project.write(path, `${text}\n`)
  const { code, output } = await compile()
  expect(code).not.toBe(0)
  const found = FORBIDDEN.map(([path, , errors]) => {
    const line = output
      .split('\n')
      .find((entry) => entry.startsWith(`${path}(`) && errors.some((e) => entry.includes(e)))
    return [path, line === undefined ? 'compiles' : 'refused']
  })
  expect(found).toEqual(FORBIDDEN.map(([path]) => [path, 'refused']))
})
