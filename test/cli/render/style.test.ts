import { describe, expect, it } from 'vitest'
import { speaksUnicode, wantsColors } from '../../../src/cli/render/style.ts'

describe('wantsColors', () => {
  it('follows the terminal, NO_COLOR and FORCE_COLOR', () => {
    expect({
      terminal: wantsColors(true, { TERM: 'xterm' }),
      pipe: wantsColors(false, {}),
      dumb: wantsColors(true, { TERM: 'dumb' }),
      noColor: wantsColors(true, { NO_COLOR: '1', FORCE_COLOR: '1' }),
      emptyNoColor: wantsColors(true, { NO_COLOR: '' }),
      forced: wantsColors(false, { FORCE_COLOR: '1' }),
      forcedOff: wantsColors(true, { FORCE_COLOR: '0' }),
    }).toEqual({
      terminal: true,
      pipe: false,
      dumb: false,
      noColor: false,
      emptyNoColor: true,
      forced: true,
      forcedOff: false,
    })
  })
})

describe('speaksUnicode', () => {
  it('is false for consoles and locales without it', () => {
    expect([
      speaksUnicode({}),
      speaksUnicode({ LANG: 'de_DE.UTF-8' }),
      speaksUnicode({ LANG: 'C.utf8' }),
      speaksUnicode({ LANG: 'C' }),
      speaksUnicode({ LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }),
      speaksUnicode({ TERM: 'linux' }),
    ]).toEqual([true, true, true, false, false, false])
  })
})
