import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { displayProblem, findElectron } from '../../../src/cli/commands/app.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-app-'))
})
afterAll(() => rmSync(root, { recursive: true }))

describe('findElectron', () => {
  it('finds the program of the package or of the folder that the environment names', () => {
    expect(findElectron(root, 'linux', {})).toBeUndefined()
    const dist = join(root, 'node_modules', 'electron', 'dist')
    mkdirSync(dist, { recursive: true })
    writeFileSync(join(dist, 'electron'), '')
    writeFileSync(join(dist, 'electron.exe'), '')
    expect(findElectron(root, 'linux', {})).toBe(join(dist, 'electron'))
    expect(findElectron('/nowhere', 'win32', { ELECTRON_OVERRIDE_DIST_PATH: dist })).toBe(join(dist, 'electron.exe'))
    expect(findElectron(root, 'linux', { ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' })).toBeUndefined()
  })
})

describe('displayProblem', () => {
  it('is had on a Linux without X and Wayland, and as root with the sandbox on', () => {
    const user = 1000
    expect([
      displayProblem('linux', {}, user),
      displayProblem('linux', { DISPLAY: ':0' }, user),
      displayProblem('linux', { WAYLAND_DISPLAY: 'wayland-0' }, user),
      displayProblem('darwin', {}, user),
      displayProblem('linux', { DISPLAY: ':0' }, 0),
      displayProblem('linux', { DISPLAY: ':0', ELECTRON_DISABLE_SANDBOX: '1' }, 0),
    ]).toEqual([
      'there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set)',
      undefined,
      undefined,
      undefined,
      "Chromium's sandbox does not run as root",
      undefined,
    ])
  })
})
