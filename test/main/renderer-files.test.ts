import { describe, expect, test } from 'vitest'
import { contentTypeOf, fileForUrl, isAppUrl } from '../../src/main/renderer-files.ts'

const FOLDER = '/opt/weft/out/renderer'

describe('an address of the app', () => {
  test('is a file of the renderer', () => {
    expect(fileForUrl(FOLDER, 'app://weft/assets/index.js')).toBe(`${FOLDER}/assets/index.js`)
    expect(fileForUrl(FOLDER, 'app://weft/a%20b.css?v=1#x')).toBe(`${FOLDER}/a b.css`)
  })

  test('without a path is the page', () => {
    expect(fileForUrl(FOLDER, 'app://weft/')).toBe(`${FOLDER}/index.html`)
  })

  test.each([
    'app://weft/..%2f..%2fmain/index.cjs',
    'app://weft/%2e%2e%2f%2e%2e%2fetc/passwd',
    'app://weft/assets/..%2f..%2f..%2fpackage.json',
    'app://weft/..%5c..%5cpackage.json',
    'app://weft/index.html%00.png',
    'app://weft/%',
  ])('never leads out of its folder: %s', (address) => {
    expect(fileForUrl(FOLDER, address)).toBeUndefined()
  })

  test('with plain dots stays inside, since the parser resolves them', () => {
    expect(fileForUrl(FOLDER, 'app://weft/../../../etc/passwd')).toBe(`${FOLDER}/etc/passwd`)
  })

  test('does not reach a sibling whose name begins alike', () => {
    expect(fileForUrl(FOLDER, 'app://weft/..%2frenderer-old/index.html')).toBeUndefined()
  })
})

test.each([
  'https://weft/index.html',
  'file:///opt/weft/out/renderer/index.html',
  'app://other/index.html',
  'app://weft.example.com/index.html',
  'app://user@weft/index.html',
  'app://weft:80/index.html',
  'about:blank',
  'not an address',
  '',
])('a page at %j is not one of the app', (address) => {
  expect(isAppUrl(address)).toBe(false)
  expect(fileForUrl(FOLDER, address)).toBeUndefined()
})

test('every kind of file of the build has its type, and unknown ones are never guessed', () => {
  expect(['a.html', 'a.js', 'a.css', 'a.ttf', 'A.SVG'].map(contentTypeOf)).toEqual([
    'text/html; charset=utf-8',
    'text/javascript; charset=utf-8',
    'text/css; charset=utf-8',
    'font/ttf',
    'image/svg+xml',
  ])
  expect(contentTypeOf('a.exe')).toBe('application/octet-stream')
})
