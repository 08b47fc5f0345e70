// A copy of the sources with their configuration, in which a test may break the rules.

import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export interface ProjectCopy {
  /** Adds a file, path relative to the project. */
  write(path: string, text: string): void
  /** Runs a tool of node_modules in the copy. */
  run(script: string, args: string[]): Promise<{ code: number | null; output: string }>
  remove(): void
}

export function copyProject(): ProjectCopy {
  // Beside node_modules' real path nothing matters: it is linked.
  const folder = mkdtempSync(join(tmpdir(), 'weft-architecture-'))
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true })
  for (const file of ['tsconfig.base.json', '.oxlintrc.json', 'package.json']) {
    cpSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return {
    write(path, text) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    },
    run: (script, args) =>
      new Promise((done, fail) => {
        const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: folder })
        let output = ''
        child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
        child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
        child.once('error', fail)
        child.once('close', (code) => done({ code, output }))
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
