import { expect, test } from 'vitest'
import { shortenPath } from '../../../src/cli/render/path.ts'

test('a path below the folder one stands in is told from there, any other one whole', () => {
  expect(shortenPath('/w/flows/a.js', '/w')).toBe('flows/a.js')
  expect(shortenPath('/other/a.js', '/w')).toBe('/other/a.js')
  expect(shortenPath('/w', '/w')).toBe('/w')
})
