// Turns the command of the settings into a program and its arguments that start without a shell. On Windows the CLIs that npm
// installs are `.cmd` files, which only a shell can run, and a shell would read the arguments again: the script that the
// `.cmd` file names is started directly instead. Elsewhere the system finds the program itself.

import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { AgentsError } from '../errors.ts'

export interface ResolvedCommand {
  program: string
  args: string[]
}

/** What resolving looks at; replaced in tests of another platform. */
export interface CommandSurroundings {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** A file that may be executed. */
  isProgram(path: string): boolean
  readText(path: string): string
}

export function realSurroundings(env: Readonly<Record<string, string | undefined>>, cwd: string): CommandSurroundings {
  return {
    platform: process.platform,
    env,
    cwd,
    isProgram,
    readText: (path) => readFileSync(path, 'utf8'),
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Throws AgentsError COMMAND_INVALID for no program, a NUL, or a batch file; START_NOT_FOUND where we have to look ourselves. */
export function resolveCommand(command: readonly string[], around: CommandSurroundings): ResolvedCommand {
  const [program, ...args] = command
  if (program === undefined || program.trim() === '') {
    throw new AgentsError('COMMAND_INVALID', 'The command names no program: give ["program", "argument", …].')
  }
  if (command.some((part) => part.includes('\0'))) {
    throw new AgentsError(
      'COMMAND_INVALID',
      `The command for "${program}" holds a NUL character, which no program can be given.`,
    )
  }
  if (around.platform !== 'win32') return { program, args }
  const file = findProgram(program, around)
  if (file === undefined) throw new AgentsError('START_NOT_FOUND', describeMissing(program, around))
  return /\.(cmd|bat)$/i.test(file) ? throughShim(file, args, around) : { program: file, args }
}

export function describeMissing(program: string, around: CommandSurroundings): string {
  const where = hasFolder(program, around) ? '' : ' in any folder of PATH'
  return `The program "${program}" was not found${where}. Install it, or name it by its full path in the settings.`
}

function hasFolder(program: string, around: CommandSurroundings): boolean {
  return program.includes('/') || (around.platform === 'win32' && program.includes('\\'))
}

/** The file that the system would start: a path is taken from the call's folder, a bare name from PATH. */
export function findProgram(program: string, around: CommandSurroundings): string | undefined {
  const windows = around.platform === 'win32'
  const path = windows ? win32 : posix
  const folders = hasFolder(program, around)
    ? [around.cwd]
    : (readVariable(around, 'PATH') ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const endings = windows && path.extname(program) === '' ? [...pathEndings(around)] : ['']
  for (const folder of folders) {
    for (const ending of endings) {
      const file = path.resolve(around.cwd, folder, program + ending)
      if (around.isProgram(file)) return file
    }
  }
  return undefined
}

function pathEndings(around: CommandSurroundings): string[] {
  return (readVariable(around, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((ending) => ending !== '')
}

// Names of variables have no case on Windows.
function readVariable(around: CommandSurroundings, name: string): string | undefined {
  if (around.platform !== 'win32') return around.env[name]
  const key = Object.keys(around.env).find((candidate) => candidate.toUpperCase() === name)
  return key === undefined ? undefined : around.env[key]
}

// npm's shims end in: "%_prog%" "%dp0%\node_modules\pkg\cli.js" %*
const SHIM_TARGET = /"(?:%~dp0|%dp0%)\\?([^"%]+\.[cm]?js)"/i

function throughShim(file: string, args: string[], around: CommandSurroundings): ResolvedCommand {
  const target = SHIM_TARGET.exec(around.readText(file))?.[1]
  const node = findProgram('node', around)
  if (target === undefined || node === undefined) {
    throw new AgentsError(
      'COMMAND_INVALID',
      `"${file}" is a batch file, which only a shell can start, and ${
        target === undefined ? 'it is no npm shim whose script could be started instead' : 'node was not found in PATH'
      }. Name the program that it starts in the settings, e.g. ["node", "C:\\\\path\\\\to\\\\cli.js"].`,
    )
  }
  return { program: node, args: [win32.join(win32.dirname(file), target), ...args] }
}
