import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fitBounds, readWindowStates, writeWindowStates } from '../../src/main/window-state.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-windows-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const state = { workspace: '/home/ann/site', bounds: { x: 10, y: 20, width: 900, height: 600 }, maximized: true }

describe('remembered windows', () => {
  test('come back as they were written, in a file for the user alone', () => {
    const file = join(folder, 'data', 'windows.json')
    writeWindowStates(file, [state])
    expect(readWindowStates(file)).toEqual([state])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('are none when the file is missing, torn or something else', () => {
    const file = join(folder, 'windows.json')
    expect(readWindowStates(file)).toEqual([])
    for (const text of ['[{"workspace":"/a"', '{}', 'null', '']) {
      writeFileSync(file, text)
      expect(readWindowStates(file)).toEqual([])
    }
  })

  test('that are damaged are left out, the others stay', () => {
    const file = join(folder, 'windows.json')
    writeFileSync(file, JSON.stringify([{ ...state, bounds: { x: 'left' } }, state, { ...state, workspace: '' }, null]))
    expect(readWindowStates(file)).toEqual([state])
  })
})

describe('the place of a window', () => {
  const screen = { x: 0, y: 25, width: 1600, height: 975 }

  test('is the remembered one when a screen shows it', () => {
    expect(fitBounds(state.bounds, [screen])).toEqual(state.bounds)
    const second = { x: 1600, y: 0, width: 1600, height: 900 }
    const there = { x: 2000, y: 100, width: 900, height: 600 }
    expect(fitBounds(there, [screen, second])).toEqual(there)
  })

  test('is the middle of the first screen when the remembered one is gone', () => {
    expect(fitBounds({ x: 5000, y: 100, width: 900, height: 600 }, [screen])).toEqual({
      x: 160,
      y: 113,
      width: 1280,
      height: 800,
    })
  })

  test('fits a small screen', () => {
    expect(fitBounds(undefined, [{ x: 0, y: 0, width: 1024, height: 700 }])).toEqual({
      x: 0,
      y: 0,
      width: 1024,
      height: 700,
    })
  })

  test('is never smaller than what can be used', () => {
    expect(fitBounds({ x: 0, y: 30, width: 200, height: 150 }, [screen])).toEqual({
      x: 0,
      y: 30,
      width: 640,
      height: 400,
    })
  })
})
