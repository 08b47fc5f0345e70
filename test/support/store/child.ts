// Starts a TypeScript file of the tests as a process of its own and reads what it says, line by line.

import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface Child {
  process: ChildProcess
  lines: string[]
  /** Resolves once `condition` holds for what has been said so far; rejects when the process ends before. */
  until(condition: (lines: readonly string[]) => boolean): Promise<void>
  /** Kills it with SIGKILL and resolves when it is gone. */
  kill(): Promise<void>
  ended: Promise<void>
}

export function startChild(script: URL, args: readonly string[]): Child {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  let rest = ''
  let check = (): void => undefined
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    check()
  })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  const until = (condition: (lines: readonly string[]) => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      check = () => {
        if (condition(lines)) resolve()
      }
      void ended.then(() =>
        reject(new Error(`the process ended before it was expected to; it said:\n${lines.join('\n')}`)),
      )
      check()
    })
  return { process: child, lines, until, kill, ended }
}
