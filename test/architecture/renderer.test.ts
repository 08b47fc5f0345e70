import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

// Inside the renderer there is one TypeScript project, so its direction of imports is checked here.

const renderer = resolve(import.meta.dirname, '../../src/renderer')

interface Import {
  from: string
  to: string
}

/** Every relative import, static or dynamic, as paths inside the renderer. */
function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g)].flatMap(([, target]) =>
    target === undefined
      ? []
      : [{ from: relative(renderer, file), to: relative(renderer, resolve(dirname(file), target)) }],
  )
}

const sources = existsSync(renderer)
  ? readdirSync(renderer, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => join(renderer, path))
  : []
const imports = sources.flatMap(importsOf)

const area = (path: string): string => path.split('/')[0] ?? ''
const feature = (path: string): string | undefined =>
  area(path) === 'features' ? path.split('/')[1]?.replace(/\.tsx?$/, '') : undefined

/** Who may import whom; `..` is what lies outside of the renderer. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ui: ['ui', 'styles', 'state', '..'],
  state: ['state', '..'],
  features: ['features', 'ui', 'state', 'styles', '..'],
}

test('there are imports to look at', () => {
  expect(imports.length).toBeGreaterThan(20)
})

test('ui and state import nothing above them', () => {
  const wrong = imports.filter(({ from, to }) => MAY_IMPORT[area(from)]?.includes(area(to)) === false)
  expect(wrong).toEqual([])
})

test('features do not import each other', () => {
  const wrong = imports.filter(({ from, to }) => {
    const [own, other] = [feature(from), feature(to)]
    return own !== undefined && other !== undefined && own !== other
  })
  expect(wrong).toEqual([])
})
