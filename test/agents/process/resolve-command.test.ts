import { describe, expect, it } from 'vitest'
import { AgentsError } from '../../../src/agents/errors.ts'
import { resolveCommand, type CommandSurroundings } from '../../../src/agents/process/resolve-command.ts'

const SHIM = `@ECHO off\r\nGOTO start\r\n:start\r\nSETLOCAL\r\nCALL :find_dp0\r\n
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\some agent\\bin\\cli.mjs" %*\r\n`

function windows(files: Record<string, string>): CommandSurroundings {
  const lower = new Map(Object.entries(files).map(([path, text]) => [path.toLowerCase(), text]))
  return {
    platform: 'win32',
    env: { Path: 'C:\\Windows;C:\\Program Files\\nodejs;C:\\Users\\jö\\npm dir', PathExt: '.COM;.EXE;.BAT;.CMD' },
    cwd: 'D:\\work',
    isProgram: (path) => lower.has(path.toLowerCase()),
    readText: (path) => lower.get(path.toLowerCase()) ?? '',
  }
}

const NODE = 'C:\\Program Files\\nodejs\\node.exe'

describe('on Windows', () => {
  it('an npm shim becomes node and the script it starts, arguments untouched', () => {
    const around = windows({ [NODE]: '', 'C:\\Users\\jö\\npm dir\\agent.cmd': SHIM })
    expect(resolveCommand(['agent', '" & echo hi %PATH% ^ |'], around)).toEqual({
      program: 'C:\\Program Files\\nodejs\\node.EXE',
      args: ['C:\\Users\\jö\\npm dir\\node_modules\\some agent\\bin\\cli.mjs', '" & echo hi %PATH% ^ |'],
    })
  })

  it('a program is found by PATH and PATHEXT, a path from the folder of the call', () => {
    const around = windows({ [NODE]: '', 'D:\\work\\tools\\agent.exe': '' })
    expect(resolveCommand(['node'], around).program.toLowerCase()).toBe(NODE.toLowerCase())
    expect(resolveCommand(['tools\\agent'], around).program.toLowerCase()).toBe('d:\\work\\tools\\agent.exe')
  })

  it('another batch file is refused in words', () => {
    const around = windows({ [NODE]: '', 'C:\\Windows\\agent.bat': '@echo off\r\nagent-real.exe %*\r\n' })
    expect(() => resolveCommand(['agent'], around)).toThrow(/is a batch file, which only a shell can start/)
  })

  it('a missing program is refused in words', () => {
    expect(() => resolveCommand(['agent'], windows({}))).toThrow(
      new AgentsError(
        'START_NOT_FOUND',
        'The program "agent" was not found in any folder of PATH. Install it, or name it by its full path in the settings.',
      ),
    )
  })
})
