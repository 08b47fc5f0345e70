import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const css = readFileSync(fileURLToPath(new URL('../../../src/renderer/styles/tokens.css', import.meta.url)), 'utf8')
const [lightBlock = '', darkBlock = ''] = css.split(":root[data-theme='dark']")

function coloursOf(block: string): Map<string, string> {
  return new Map([...block.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map((match) => [match[1] ?? '', match[2] ?? '']))
}

/** WCAG 2's relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

const PLAIN = ['surface-base', 'surface-side', 'surface-bar', 'surface-raised', 'surface-field', 'surface-code']
const STATUSES = ['queued', 'running', 'completed', 'failed', 'skipped', 'cancelled', 'replayed', 'paused']
const SYNTAX = ['keyword', 'string', 'number', 'comment', 'function', 'type', 'regexp']

/** Text on surface, as the window has them. */
const PAIRS = [
  ...[...PLAIN, 'surface-hover', 'surface-selected'].flatMap((surface) => [
    ['text', surface],
    ['text-dim', surface],
  ]),
  ...[...PLAIN, 'surface-hover'].map((surface) => ['text-faint', surface]),
  ...STATUSES.flatMap((status) => ['surface-base', 'surface-side'].map((surface) => [`status-${status}`, surface])),
  ...['running', 'failed', 'cancelled', 'replayed'].map((status) => [`status-${status}`, `tint-${status}`]),
  ...['running', 'failed', 'cancelled'].map((status) => [`status-${status}`, 'surface-selected']),
  ...SYNTAX.map((token) => [`syntax-${token}`, 'surface-base']),
  ['text', 'tint-cancelled'],
  ['text-on-accent', 'accent'],
  ['text-on-accent', 'accent-hover'],
]

describe.each([
  ['light', coloursOf(lightBlock)],
  ['dark', new Map([...coloursOf(lightBlock), ...coloursOf(darkBlock)])],
])('in the %s theme', (_theme, colours) => {
  it('every text has a contrast of 4.5 or more', () => {
    const weak = PAIRS.map(([text = '', surface = '']) => ({
      pair: `${text} on ${surface}`,
      contrast: contrast(colours.get(text) ?? '', colours.get(surface) ?? ''),
    })).filter((result) => !(result.contrast >= 4.5))
    expect(weak).toEqual([])
  })

  it('the focus ring has a contrast of 3 or more', () => {
    const focus = colours.get('focus') ?? ''
    const weak = [...PLAIN, 'surface-selected'].filter((surface) => !(contrast(focus, colours.get(surface) ?? '') >= 3))
    expect(weak).toEqual([])
  })
})

it('a colour is named nowhere but in styles/', async () => {
  const root = fileURLToPath(new URL('../../../src/renderer/', import.meta.url))
  const named: string[] = []
  for await (const file of glob('{app,features,ui}/**/*.{css,tsx,ts}', { cwd: root })) {
    const text = readFileSync(`${root}${file}`, 'utf8')
    for (const match of text.matchAll(/#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|oklch)\(/gi)) named.push(`${file}: ${match[0]}`)
  }
  expect(named).toEqual([])
})
